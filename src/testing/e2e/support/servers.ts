import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { TestContext } from 'node:test';

/** A certificate that nobody vouches for, for 127.0.0.1, and its key: worth nothing outside these tests. Valid for a century. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBkDCCATagAwIBAgIUNf046e6p8arf4JiClp7Kn7wjoN4wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMDE4NDk0MloYDzIxMjYxMDI3
MTg0OTQyWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATFjlnkEVhRAVFGAnZZv6CeQOCVij+ePTO3xIDuSJoMyj4SY4vqiZ8F
8OiSzYVSKUJas5pnb8NKN0xxRI+DTVHLo2QwYjAdBgNVHQ4EFgQUqfmcHItppgwX
2JGTXmVo4dwpW/cwHwYDVR0jBBgwFoAUqfmcHItppgwX2JGTXmVo4dwpW/cwDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUC
IE4+c2PdTK5PEh9axrOOce5gTNtbBOI9xJUC33Aon4WJAiEArwbJg94f9zT7eso+
2y1rkRmOw9kbRfTZiT0W5LXdcsk=
-----END CERTIFICATE-----
`;

const CERTIFICATE_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwciU3z6/sCoi+c2/
w/16qGOez4otIDzT8c2M2bC+rTehRANCAATFjlnkEVhRAVFGAnZZv6CeQOCVij+e
PTO3xIDuSJoMyj4SY4vqiZ8F8OiSzYVSKUJas5pnb8NKN0xxRI+DTVHL
-----END PRIVATE KEY-----
`;

async function listening(context: TestContext, server: Server, scheme: string): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** A server that answers as it is told; gives its base address. */
export const answering = (context: TestContext, listener: RequestListener): Promise<string> =>
  listening(context, createServer(listener), 'http');

/** The same over TLS, with a certificate that is its own authority. */
export const answeringOverTls = (context: TestContext, listener: RequestListener): Promise<string> =>
  listening(context, createTlsServer({ key: CERTIFICATE_KEY, cert: CERTIFICATE }, listener), 'https');

/** An address on this machine where nothing listens. */
export async function closedPort(): Promise<string> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}/v1`;
}

/** A server that takes requests and never answers; `asked` resolves at the first one. */
export async function silent(
  context: TestContext,
): Promise<{ readonly baseUrl: string; readonly asked: Promise<unknown> }> {
  const server = createServer();
  const asked = once(server, 'request');
  return { baseUrl: await listening(context, server, 'http'), asked };
}
