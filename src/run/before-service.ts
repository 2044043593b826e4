import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { endpointOf } from '../targets/base-url.js';
import { isPage } from '../checks/firewall.js';
import { hasErrorMembers } from '../checks/layers.js';
import { answerHeader, statusOf } from '../exchange/headers.js';
import type { Exchange } from '../exchange/types.js';
import { clip } from '../format/visible.js';
import { capital, duration } from '../format/format.js';
import type { Obstacle } from '../log/record.js';
import type { Target } from '../targets/target.js';

/*
 * What answers in place of a service: a redirect, a login, a port that expects TLS. Each is an obstacle in the words of
 * the first screen, and none says anything of the service behind it.
 */

/** The status codes that send a client elsewhere (RFC 9110, 15.4; 304 does not). */
const REDIRECTS: ReadonlySet<number | null> = new Set([300, 301, 302, 303, 307, 308]);

/** A Location is shown up to this length: a login page's holds all that was asked for, encoded twice. */
const MOST_SHOWN = 160;

/** Absolute target of a redirect; null for a response without one, or with one that is not a web address. */
function redirectOf(exchange: Exchange, { baseUrl }: Pick<Target, 'baseUrl'>): URL | null {
  const location = REDIRECTS.has(statusOf(exchange)) ? answerHeader(exchange, 'location') : null;
  const from = new URL(exchange.request.path, baseUrl);
  const to = location !== null && URL.canParse(location, from) ? new URL(location, from) : null;
  return to !== null && /^https?:$/.test(to.protocol) ? to : null;
}

/** Whether a redirect leaves the service: a router that wants another spelling of the same path is the service's own. */
export function leavesService(exchange: Exchange, target: Pick<Target, 'baseUrl'>): boolean {
  const to = redirectOf(exchange, target);
  const from = new URL(exchange.request.path, target.baseUrl);
  return to !== null && (to.origin !== from.origin || bare(to) !== bare(from));
}

const bare = ({ pathname }: URL): string => pathname.replace(/\/+$/, '').toLowerCase();

/** Every request is redirected. The key goes to the address that the target file names, and nowhere else. */
export function redirected(exchange: Exchange, target: Pick<Target, 'baseUrl'>): Obstacle {
  const to = redirectOf(exchange, target);
  const base = to?.pathname.replace(/\/pets\/*$/, '');
  const moved = to !== null && base !== to.pathname ? `${to.origin}${base}` : null;
  const common = { code: 'redirect', short: 'it redirects every request' } as const;
  if (moved !== null)
    return {
      ...common,
      message: `the address redirects to ${clip(moved, MOST_SHOWN)} ; use that.`,
      hint: 'Set baseUrl to it. No request and no key was sent there.',
    };
  return {
    ...common,
    message: `the address redirects every request (${statusOf(exchange)}) to ${to ? clip(to.href, MOST_SHOWN) : 'nowhere'} .`,
    hint: 'A login page or a proxy answers like this: use the service’s own address. No key was sent there.',
  };
}

/** Plain http was sent to a port that speaks TLS. */
export const speaksTls = ({ baseUrl }: Pick<Target, 'baseUrl'>): Obstacle => ({
  code: 'tls',
  short: 'it expects https',
  message: `${baseUrl} expects TLS, and plain http was sent; use https.`,
  hint: `Write the address as ${baseUrl.replace(/^http:/, 'https:')} .`,
});

/**
 * Whether a request without a key is refused in the same way, and not as a service refuses a key: by a page, by a
 * challenge for another scheme, or by a bare 403 where the interface names 401.
 */
export function gated(exchange: Exchange, keyless: Exchange): boolean {
  const [answer, other] = [exchange.answer, keyless.answer];
  return (
    answer.kind === 'response' &&
    other.kind === 'response' &&
    answer.status === other.status &&
    (asksForAnotherScheme(exchange) || isPage(exchange) || (answer.status === 403 && !hasErrorMembers(exchange)))
  );
}

const asksForAnotherScheme = (exchange: Exchange): boolean =>
  /^\s*(basic|digest|negotiate|ntlm)\b/i.test(answerHeader(exchange, 'www-authenticate') ?? '');

/** Something before the service refuses. */
export function refusedBefore(exchange: Exchange, { baseUrl, suiteKey }: Target): Obstacle {
  const scheme = asksForAnotherScheme(exchange)
    ? ` and asks for ${(answerHeader(exchange, 'www-authenticate') ?? '').trim().split(/[\s,]/, 1)[0]} credentials`
    : '';
  return {
    code: 'gate',
    short: 'something before the service refuses',
    message: `something before the service at ${baseUrl} answers ${statusOf(exchange)} with and without a key${scheme}.`,
    hint: `The ${capital(suiteKey)} key may be right. Use the service’s own address, or have what stands before it let this machine through.`,
  };
}

/** The service is down, and says for how long. */
export const awayFor = ({ baseUrl }: Target, status: number, ms: number): Obstacle => ({
  code: 'gateway',
  short: `it answers ${status} for ${duration(ms)} more`,
  message: `${baseUrl} answers ${status} and asks to come back in ${duration(ms)}.`,
  hint: 'Run again then, or start the service.',
});

/** The certificate that a server shows, as far as a person needs to tell which one it is. */
export interface PeerCertificate {
  readonly subject: string;
  readonly issuer: string;
  /** ISO date. */
  readonly validUntil: string;
}

/**
 * Looks at the certificate that is shown at an address's port, whatever scheme the address has: to say which one was not
 * trusted, or that the port speaks TLS at all. Nothing is sent over the connection, and above all no key. null where none
 * is shown in time.
 */
export function peerCertificate(baseUrl: string, timeoutMs: number): Promise<PeerCertificate | null> {
  const { host, port } = endpointOf(new URL(baseUrl));
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port,
      ...(isIP(host) === 0 && { servername: host }),
      rejectUnauthorized: false,
      timeout: timeoutMs,
    });
    const end = (found: PeerCertificate | null): void => {
      socket.destroy();
      resolve(found);
    };
    socket.once('secureConnect', () => {
      const { subject, issuer, valid_to: until } = socket.getPeerCertificate();
      const at = Date.parse(until);
      end({
        subject: nameOf(subject),
        issuer: nameOf(issuer),
        validUntil: Number.isNaN(at) ? until : new Date(at).toISOString().slice(0, 10),
      });
    });
    socket.once('timeout', () => end(null));
    socket.once('error', () => end(null));
  });
}

const nameOf = ({ CN, O }: { readonly CN?: unknown; readonly O?: unknown }): string =>
  [CN, O].flat().find((name): name is string => typeof name === 'string') ?? 'no name';
