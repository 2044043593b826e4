import { dayOf } from '../base/kernel/day.js';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { endpointOf } from '../wire/targets/base-url.js';
import { isPage } from '../judge/checks/firewall.js';
import { hasErrorMembers } from '../judge/checks/layers.js';
import { answerHeader, statusOf } from '../wire/exchange/headers.js';
import { isOfCertificate } from '../wire/exchange/transport-error.js';
import type { Exchange } from '../wire/exchange/types.js';
import { clip } from '../base/kernel/visible.js';
import { capital, duration } from '../base/kernel/format.js';
import type { Obstacle } from '../log/record.js';
import type { Target } from '../wire/targets/target.js';

/*
 * Responses from in front of a service: a redirect, a login, a port that expects TLS. Each is an obstacle for
 * the first screen, and says nothing about the service behind it.
 */

/** Status codes of a redirect (RFC 9110, 15.4; without 304). */
const REDIRECTS: ReadonlySet<number | null> = new Set([300, 301, 302, 303, 307, 308]);
/** Most shown characters of a Location: a login page's contains the whole request, encoded twice. */
const MOST_SHOWN = 160;

/** Absolute target of a redirect; null for a response without one, or with one that is not a web address. */
function redirectOf(exchange: Exchange, { baseUrl }: Pick<Target, 'baseUrl'>): URL | null {
  const location = REDIRECTS.has(statusOf(exchange)) ? answerHeader(exchange, 'location') : null;
  const from = new URL(exchange.request.path, baseUrl);
  const to = location !== null && URL.canParse(location, from) ? new URL(location, from) : null;
  return to !== null && /^https?:$/.test(to.protocol) ? to : null;
}

/**
 * Is true if a redirect leaves the service. A router that redirects to another spelling of a path belongs to
 * the service.
 */
export function leavesService(exchange: Exchange, target: Pick<Target, 'baseUrl'>): boolean {
  const to = redirectOf(exchange, target);
  const from = new URL(exchange.request.path, target.baseUrl);
  return to !== null && (to.origin !== from.origin || bare(to) !== bare(from));
}

const bare = ({ pathname }: URL): string => pathname.replace(/\/+$/, '').toLowerCase();

/** The key is sent only to the address in the target file. */
export function redirectObstacle(exchange: Exchange, target: Pick<Target, 'baseUrl'>): Obstacle {
  const to = redirectOf(exchange, target);
  if (to !== null && losesTls(to, target)) return schemeLost(to, target);
  const base = to?.pathname.replace(/\/pets\/*$/, '');
  const moved = to !== null && base !== to.pathname ? `${to.origin}${base}` : null;
  const everything = `every request (${statusOf(exchange)}) to ${to ? clip(to.href, MOST_SHOWN) : 'nowhere'} .`;
  return {
    code: 'redirect',
    short: 'it redirects every request',
    message: `the address redirects ${moved === null ? everything : `to ${clip(moved, MOST_SHOWN)} ; use that.`}`,
    hint: moved
      ? 'Set baseUrl to that address. No request and no key was sent there.'
      : 'A login page or a proxy responds like this: use the service’s own address. No key was sent there.',
  };
}

/** True if a redirect leads from https to http, where a key would be sent in clear. */
const losesTls = (to: URL, { baseUrl }: Pick<Target, 'baseUrl'>): boolean =>
  to.protocol === 'http:' && baseUrl.startsWith('https:');

function schemeLost(to: URL, { baseUrl }: Pick<Target, 'baseUrl'>): Obstacle {
  const isSameHost = to.hostname === new URL(baseUrl).hostname;
  return {
    code: 'redirect',
    short: 'it redirects from https to http',
    message: `${baseUrl} redirects from https to http (${clip(to.href, MOST_SHOWN)}). ${
      isSameHost ? 'The service does not know that a proxy ends TLS.' : 'A key must not be sent unencrypted.'
    }`,
    hint: isSameHost
      ? 'Let the proxy send X-Forwarded-Proto, and the service use it. Keep the https address.'
      : 'Use an https address of the service. No key was sent there.',
  };
}

export const expectsTls = ({ baseUrl }: Pick<Target, 'baseUrl'>): Obstacle => ({
  code: 'tls',
  short: 'it expects https',
  message: `${baseUrl} expects TLS, but the address says http.`,
  hint: `Write the address as ${baseUrl.replace(/^http:/, 'https:')} .`,
});

/** Is true if a keyless request gets the same refusal, and it is a page, another scheme's challenge, or a bare 403. */
export function isGated(exchange: Exchange, keyless: Exchange): boolean {
  const [answer, other] = [exchange.answer, keyless.answer];
  return (
    answer.kind === 'response' &&
    other.kind === 'response' &&
    answer.status === other.status &&
    (asksForAnotherScheme(exchange) ||
      isPage(exchange) ||
      (answer.status === 403 && !hasErrorMembers(exchange)))
  );
}

const asksForAnotherScheme = (exchange: Exchange): boolean =>
  /^\s*(basic|digest|negotiate|ntlm)\b/i.test(answerHeader(exchange, 'www-authenticate') ?? '');

export function refusedInFront(exchange: Exchange, { baseUrl, suiteKey }: Target): Obstacle {
  const scheme = asksForAnotherScheme(exchange)
    ? ` and asks for ${(answerHeader(exchange, 'www-authenticate') ?? '').trim().split(/[\s,]/, 1)[0]} credentials`
    : '';
  return {
    code: 'gate',
    short: 'something in front of the service refuses',
    message: `something in front of the service at ${baseUrl} returns ${statusOf(exchange)} with and without a key${scheme}.`,
    hint:
      `The ${capital(suiteKey)} key may be right. Use the service’s own address, ` +
      'or allow this machine at the proxy or firewall in front of it.',
  };
}

export const unavailableFor = ({ baseUrl }: Target, status: number, ms: number): Obstacle => ({
  code: 'gateway',
  short: `it returns ${status} for ${duration(ms)} more`,
  message: `${baseUrl} returns ${status} and asks to retry in ${duration(ms)}.`,
  hint: 'Run again after that time, or start the service.',
});

export interface PeerCertificate {
  readonly subject: string;
  readonly issuer: string;
  /** ISO date. */
  readonly validUntil: string;
}

type Endpoint = Pick<Target, 'baseUrl' | 'http'>;

/** Opens a TLS connection to the target's address, and closes it. Sends nothing, above all no key. */
function handshake<Found>(
  { baseUrl, http }: Endpoint,
  rejectUnauthorized: boolean,
  found: (socket: TLSSocket) => Found,
  /** Returns the result without a connection, by the code of the error; without a code if it took too long. */
  failed: (code?: string) => Found,
): Promise<Found> {
  const { host, port } = endpointOf(new URL(baseUrl));
  const socket = connect({
    host: http.address ?? host,
    port,
    ...(isIP(host) === 0 && { servername: host }),
    ...(http.ca !== undefined && { ca: http.ca }),
    rejectUnauthorized,
    timeout: http.timeoutMs,
  });
  return new Promise((resolve) => {
    const end = (result: Found): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once('secureConnect', () => end(found(socket)));
    socket.once('timeout', () => end(failed()));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => end(failed(code)));
  });
}

/** True if a port speaks TLS: the handshake succeeds, or fails only by the server's certificate. */
export const offersTls = (target: Endpoint): Promise<boolean> =>
  handshake(target, true, () => true, isOfCertificate);

/**
 * Returns the certificate of a server whose certificate is not trusted, to describe it; null for none in
 * time.
 */
export const peerCertificate = (target: Endpoint): Promise<PeerCertificate | null> =>
  handshake(target, false, certificateOf, () => null);

function certificateOf(socket: TLSSocket): PeerCertificate {
  const { subject, issuer, valid_to: until } = socket.getPeerCertificate();
  const at = Date.parse(until);
  return {
    subject: nameOf(subject),
    issuer: nameOf(issuer),
    validUntil: Number.isNaN(at) ? until : dayOf(at),
  };
}

const nameOf = ({ CN, O }: { readonly CN?: unknown; readonly O?: unknown }): string =>
  [CN, O].flat().find((name): name is string => typeof name === 'string') ?? 'no name';
