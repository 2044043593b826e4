import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** A name with two addresses: on one of them listens another server. */

/** Host that `PRELOAD` resolves. */
export const TWO_ADDRESSES = 'pets.test';

/** Listens on ::1 at a port, and counts the bytes that come; null if this machine has no IPv6. */
export async function otherServer(port: number) {
  let received = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => (received += bytes.length));
  });
  server.listen(port, '::1');
  try {
    await once(server, 'listening');
  } catch {
    return null;
  }
  return {
    received: () => received,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Preload that resolves a name to both families, the other server first, unless a switch orders otherwise. */
export const PRELOAD = `
const dns = require('node:dns');
const { appendFileSync } = require('node:fs');
const real = { lookup: dns.lookup, promised: dns.promises.lookup };
const order = () => (dns.getDefaultResultOrder() === 'ipv4first' ? ['127.0.0.1', '::1'] : ['::1', '127.0.0.1']);
const all = () => order().map((address) => ({ address, family: address === '::1' ? 6 : 4 }));
const note = () => appendFileSync(process.env.LOOKUPS, process.pid + '\\n');
dns.lookup = (host, options, callback = options) => {
  if (host !== '${TWO_ADDRESSES}') return real.lookup(host, options, callback);
  note();
  const [{ address, family }] = all();
  process.nextTick(() => (options.all ? callback(null, all()) : callback(null, address, family)));
};
dns.promises.lookup = async (host, options) => {
  if (host !== '${TWO_ADDRESSES}') return real.promised(host, options);
  note();
  return options?.all ? all() : all()[0];
};
`;
