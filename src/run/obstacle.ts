import type { Answer, Exchange } from '../exchange/types.js';
import type { Obstacle } from '../log/record.js';
import { isPage } from '../checks/firewall.js';
import { hasErrorMembers } from '../checks/layers.js';
import { asksTooMuch, retryAfterMs } from '../probes/waits.js';
import { capital, duration } from '../format/format.js';
import type { Target } from '../targets/target.js';
import { nobody } from '../probes/credentials.js';
import { expects } from '../probes/specs.js';
import type { Fixture } from '../suite/fixture.js';
import {
  awayFor,
  gated,
  leavesService,
  peerCertificate,
  redirected,
  refusedBefore,
  speaksTls,
  type PeerCertificate,
} from './before-service.js';

/*
 * Obstacles that prevent a run's start, for the first screen: a cause that follows “Cannot start:”, and a hint. They say
 * nothing about the target's conformity.
 */

/** Status codes of a gateway without a response from its service (RFC 9110, 15.6.3 to 15.6.5). */
const GATEWAY: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Returns the obstacle that the first listing shows, and a second request if the first leaves it open; null for a response that
 * the suites can judge.
 */
export async function obstacleIn(
  exchange: Exchange,
  target: Target,
  { probes, facts }: Pick<Fixture, 'probes' | 'facts'>,
): Promise<Obstacle | null> {
  const { answer } = exchange;
  const certificate = (): Promise<PeerCertificate | null> => peerCertificate(target.baseUrl, target.http.timeoutMs);
  const keyless = (): Promise<Exchange> => probes.listedUnder(nobody, {}, expects('auth-missing-key', 401));
  if (answer.kind === 'none')
    return unreachable(
      answer,
      target,
      ['tls', 'reset', 'malformed-http'].includes(answer.code) ? await certificate() : null,
    );
  const { status } = answer;
  if (leavesService(exchange, target)) {
    const other = await (facts.removal === 'before'
      ? probes.fetched(probes.unknownId(), expects('get-unknown', 404)).then((single) => single.exchange)
      : keyless());
    return leavesService(other, target) ? redirected(exchange, target) : null;
  }
  if (status === 400 && target.baseUrl.startsWith('http:') && !hasErrorMembers(exchange) && (await certificate()))
    return speaksTls(target);
  if (status === 401 || status === 403)
    return gated(exchange, await keyless()) ? refusedBefore(exchange, target) : keyRefused(target, status);
  if (status === 429) return rateLimited(target, exchange);
  // An Error in JSON is the service's own response with any status code: the suites judge it.
  if (status === 404 && !endsWithVersion(target)) return noSuchPath(target);
  if (status === 503 && asksTooMuch(exchange, target.windows.minute * 1_000))
    return awayFor(target, status, retryAfterMs(exchange) ?? 0);
  if (hasErrorMembers(exchange)) return null;
  if (status === 404) return noSuchPath(target);
  if (GATEWAY.has(status)) return behindGateway(target, status);
  // A page with an error status is the service's own: the suites judge it too.
  return status < 300 && isPage(exchange) ? webPage(target, status) : null;
}

/** Returns the obstacle if no response came; null for an unreadable response, which the suites judge. */
function unreachable(
  { code, message }: Extract<Answer, { kind: 'none' }>,
  { baseUrl, http }: Target,
  certificate: PeerCertificate | null,
): Obstacle | null {
  switch (code) {
    case 'refused':
      return {
        code,
        short: 'nothing listens at its address',
        message: `nothing listens at ${baseUrl} .`,
        hint: 'Start the server or correct the address.',
      };
    case 'unknown-host':
      return {
        code,
        short: 'its host name does not resolve',
        message: `the host name of ${baseUrl} does not resolve.`,
        hint: 'Correct the address, or the DNS of this machine.',
      };
    case 'tls':
      return certificateFaults(baseUrl, message, certificate);
    case 'timeout':
      return {
        code,
        short: 'it did not respond in time',
        message: `${baseUrl} did not respond within ${duration(http.timeoutMs)}.`,
        hint: 'Check that the server is up and reachable, or raise http.timeoutMs in the target file.',
      };
    case 'reset':
    case 'malformed-http':
    case 'aborted':
      if (certificate !== null) return speaksTls({ baseUrl });
      return {
        code,
        short: 'it closed the connection without an HTTP response',
        message: `${baseUrl} closed the connection without an HTTP response (${message}).`,
        hint: 'Check that an HTTP server listens there.',
      };
    case 'too-large':
    case 'bad-encoding':
      return null;
  }
}

/** Matches OpenSSL's errors for a peer that does not speak TLS. */
const NO_TLS = /wrong version number|packet length too long|unknown protocol|http request/i;

const untrusted = (message: string, hint: string): Obstacle => ({
  code: 'tls',
  short: 'no trusted TLS connection to it',
  message,
  hint,
});

function certificateFaults(baseUrl: string, message: string, certificate: PeerCertificate | null): Obstacle {
  if (certificate === null && NO_TLS.test(message))
    return untrusted(
      `${baseUrl} does not speak TLS, which https needs.`,
      'Write the address with http://, or enable TLS on the server.',
    );
  const said = OPENSSL.exec(message)?.[1];
  if (certificate === null && said !== undefined)
    return untrusted(
      `the TLS handshake with ${baseUrl} failed: ${said}.`,
      'Check the server’s certificate, its TLS versions, and whether it demands a client certificate.',
    );
  const which = certificate
    ? `the certificate of ${baseUrl} (for "${certificate.subject}", issued by ${certificate.issuer === certificate.subject ? 'itself' : `"${certificate.issuer}"`}, valid until ${certificate.validUntil}) is not trusted`
    : `no trusted TLS connection to ${baseUrl}`;
  return untrusted(
    `${which}: ${message.replace(/\.$/, '')}.`,
    /expired/.test(message)
      ? 'Renew the server’s certificate.'
      : 'Name the certificate authority as http.ca in a target file, or replace the server’s certificate.',
  );
}

/** Matches the reason in an OpenSSL error line: number, library, function, then the reason. */
const OPENSSL = /:SSL routines:[^:]*:([^:]+):/;

function keyRefused(target: Target, status: number): Obstacle {
  const { baseUrl, suiteKey, name, keyVariables } = target;
  const variable = keyVariables?.[suiteKey];
  const check = variable
    ? `Check ${variable}: it must hold a key that this address accepts.`
    : `Check the ${capital(suiteKey)} key of ${name}: this address must accept it.`;
  return {
    code: 'key-refused',
    short: 'it refuses the key',
    message: `${baseUrl} refused the ${capital(suiteKey)} key (${status}).`,
    hint: endsWithVersion(target) ? check : `${check} Or did you mean ${baseUrl}/v1 ?`,
  };
}

/** Obstacle of a 429, which does not show if the plan's minute or day is used up, or the key is banned. */
export const rateLimited = (target: Target, refusal: Exchange): Obstacle => ({
  code: 'rate-limited',
  short: 'it returns 429 to every request',
  message: `${target.baseUrl} returns 429 to the ${capital(target.suiteKey)} key, ${refusedThroughout(refusal, target)}.`,
  hint: 'The key may be banned, or its daily limit used up. Try later, or use another key.',
});

function refusedThroughout(refusal: Exchange, { windows }: Target): string {
  const asked = retryAfterMs(refusal);
  if (asksTooMuch(refusal, windows.minute * 1_000)) return `and asks to wait ${duration(asked ?? 0)}`;
  return asked === null
    ? `without a usable Retry-After, and again after ${duration(windows.minute * 1_000)}`
    : 'even after the run waited for each Retry-After';
}

function noSuchPath(target: Target): Obstacle {
  const { baseUrl } = target;
  return {
    code: 'not-found',
    short: 'there is no /pets under its address',
    message: `there is no /pets under ${baseUrl} (404).`,
    hint: endsWithVersion(target)
      ? 'Correct the address: it is the part before /pets.'
      : `Did you mean ${baseUrl}/v1 ? The base address ends with /v1.`,
  };
}

const behindGateway = ({ baseUrl }: Target, status: number): Obstacle => ({
  code: 'gateway',
  short: `a proxy in front of it returns ${status}`,
  message: `a proxy at ${baseUrl} returned ${status}: it got no response from the service behind it.`,
  hint: 'Start the service, or correct the upstream of the proxy.',
});

const webPage = ({ baseUrl }: Target, status: number): Obstacle => ({
  code: 'web-page',
  short: 'its address returns an HTML page',
  message: `${baseUrl}/pets is an HTML page (${status}), not JSON.`,
  hint: 'Correct the address, or look for a login page or a proxy in front of the service.',
});

/** Versioning: the base address has the major version as its last path segment. */
const endsWithVersion = ({ baseUrl }: Target): boolean => new URL(baseUrl).pathname.endsWith('/v1');
