import { ownLimit } from '../wire/exchange/own-limits.js';
import { CLOSED, isOfCertificate, type Fault } from '../wire/exchange/transport-error.js';
import { duration } from '../base/kernel/format.js';
import { clip } from '../base/kernel/visible.js';
import type { Obstacle } from '../log/record.js';
import { isLoopback } from '../wire/targets/base-url.js';
import type { Target } from '../wire/targets/target.js';
import { offersTls, peerCertificate, expectsTls, type PeerCertificate } from './in-front-of-service.js';

/*
 * Obstacles of a target without a response: this machine's network, TLS, and what came in place of HTTP. The scheme, the error
 * code and the TLS alert decide; nothing is tried again to prove a theory.
 */

type To = Pick<Target, 'baseUrl' | 'http'>;

/**
 * Returns the obstacle of a fault; null for a response that came and cannot be read, which the suites judge.
 *
 * @param env environment in which proxy variables may stand
 */
export async function unreachable(
  fault: Fault,
  target: To,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Obstacle | null> {
  const { code, message, cause } = fault;
  const { baseUrl, http } = target;
  if (
    (code === 'reset' || code === 'malformed-http') &&
    baseUrl.startsWith('http:') &&
    (await offersTls(target))
  )
    return expectsTls(target);
  const about = (short: string, sentence: string, hint: string): Obstacle => ({
    code,
    short,
    message: sentence,
    hint,
  });
  const network = (short: string, sentence: string, hint: string): Obstacle =>
    about(short, sentence, `${hint}${proxyWords(env)}`);
  switch (code) {
    case 'refused':
      return network(
        'nothing listens at its address',
        `nothing listens at ${baseUrl} .`,
        'Start the server or correct the address.',
      );
    case 'unreachable':
      return cause === 'EACCES' || cause === 'EPERM'
        ? network(
            'this machine may not connect to it',
            `this machine does not permit a connection to ${baseUrl} (${cause}).`,
            'Allow it in the firewall, sandbox or container of this machine.',
          )
        : network(
            'this machine has no route to it',
            `this machine has no route to ${baseUrl} (${cause ?? message}).`,
            'Check the network and VPN of this machine, or the address.',
          );
    case 'exhausted':
    case 'resolver':
      return network(
        `this machine ${ownLimit(cause).words}`,
        `this machine ${ownLimit(cause).words}.`,
        ownLimit(cause).remedy,
      );
    case 'unknown-host':
      return network(
        'its host name does not resolve',
        `the host name of ${baseUrl} does not resolve.`,
        'Correct the address, or the DNS of this machine.',
      );
    case 'tls':
      return tlsObstacle(fault, target);
    case 'timeout':
      return network(
        'it did not respond in time',
        `${baseUrl} did not respond within ${duration(http.timeoutMs)}.`,
        'Check that the server is up and reachable, or raise http.timeoutMs in the target file.',
      );
    case 'malformed-http':
      return about(
        'its response is malformed',
        `the response of ${baseUrl} is malformed: ${clip(message, MOST_SHOWN)}.`,
        'Correct the server or the proxy in front of it, or check that an HTTP server listens there.',
      );
    case 'reset':
    case 'aborted': {
      const detail = message === CLOSED.message ? '' : ` (${message})`;
      return about(
        'it closed the connection without an HTTP response',
        `${baseUrl} closed the connection without an HTTP response${detail}.`,
        baseUrl.startsWith('https:')
          ? 'Check that an HTTP/1.1 server listens there, and whether it demands a client certificate: the kit sends none.'
          : 'Check that an HTTP/1.1 server listens there.',
      );
    }
    case 'too-large':
    case 'bad-encoding':
      return null;
  }
}

/** Most shown characters of a malformed response. */
const MOST_SHOWN = 160;

/** Variables with which many programs find a proxy. */
const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'] as const;

/** Says that a proxy of the environment is not used; empty without one. */
function proxyWords(env: NodeJS.ProcessEnv): string {
  const name = PROXIES.find((each) => (env[each] ?? '') !== '');
  return name === undefined
    ? ''
    : ` The kit connects directly and ignores ${name}: run it where the server is reachable.`;
}

/** Words and remedies by OpenSSL's reason or alert, lower case without underscores; the first match decides. */
const HANDSHAKES: readonly (readonly [RegExp, (to: To) => readonly [message: string, hint: string]])[] = [
  [
    /wrong version number|packet length too long|unknown protocol|http request/,
    ({ baseUrl }) => [
      `${baseUrl} does not speak TLS, which https needs.`,
      isLoopback(new URL(baseUrl))
        ? 'Write the address with http://, or enable TLS on the server.'
        : 'Enable TLS on the server, or correct the port.',
    ],
  ],
  [
    /certificate required/,
    ({ baseUrl }) => [
      `${baseUrl} demands a client certificate, and the kit sends none.`,
      'Use an address of the service that demands no client certificate.',
    ],
  ],
  [
    /no application protocol/,
    ({ baseUrl }) => [
      `${baseUrl} does not offer HTTP/1.1 over TLS, perhaps only HTTP/2.`,
      'Enable HTTP/1.1 on the server, or use a proxy that offers it.',
    ],
  ],
  [
    /alert protocol version|unsupported protocol|no protocols available|version too low|insufficient security/,
    ({ baseUrl }) => [
      `${baseUrl} offers no TLS version that this kit speaks.`,
      'Enable TLS 1.2 or 1.3 on the server.',
    ],
  ],
  [
    /unrecognized name/,
    ({ baseUrl }) => [
      `${baseUrl} has no certificate for the name ${new URL(baseUrl).hostname}.`,
      'Write the name for which the server has a certificate.',
    ],
  ],
  [
    /alert (bad certificate|unknown ca|certificate unknown|unsupported certificate|access denied)/,
    ({ baseUrl }) => [
      `${baseUrl} rejected the certificate of the client, and the kit sends none.`,
      'Use an address of the service that demands no client certificate.',
    ],
  ],
];

const CERTIFICATES: Readonly<Record<string, readonly [words: string, hint: string]>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'it is for another name',
    'Write a name of the certificate in baseUrl, or give the server a certificate for this name.',
  ],
  CERT_HAS_EXPIRED: ['it has expired', 'Renew the server’s certificate.'],
  CERT_NOT_YET_VALID: [
    'it is not valid yet',
    'Check the clocks of this machine and of the certificate’s issuer.',
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'self-signed certificate',
    'Name the certificate as http.ca in a target file, or replace it.',
  ],
  SELF_SIGNED_CERT_IN_CHAIN: [
    'its certificate authority is not known to this machine',
    'Name the certificate authority as http.ca in a target file.',
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'the server sent no intermediate certificate, and its issuer is not known to this machine',
    'Let the server send its intermediate certificates. Name a private certificate authority as http.ca.',
  ],
  UNABLE_TO_GET_ISSUER_CERT: [
    'a certificate between it and a known authority is missing',
    'Let the server send its intermediate certificates. Name a private certificate authority as http.ca.',
  ],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    'its issuer is not known to this machine',
    'Let the server send its intermediate certificates. Name a private certificate authority as http.ca.',
  ],
};

const untrusted = (message: string, hint: string): Obstacle => ({
  code: 'tls',
  short: 'no trusted TLS connection to it',
  message,
  hint,
});

async function tlsObstacle({ cause, message }: Fault, target: To): Promise<Obstacle> {
  const { baseUrl, http } = target;
  if (isOfCertificate(cause)) {
    const [words, hint] = CERTIFICATES[cause ?? ''] ?? [
      message.replace(/\.$/, ''),
      'Replace the server’s certificate.',
    ];
    // Only describes the certificate: the error code has decided.
    const which = described(await peerCertificate(target));
    return untrusted(
      `the certificate of ${baseUrl}${which} is not trusted: ${words}.`,
      http.ca !== undefined && /http\.ca/.test(hint)
        ? 'The certificates in http.ca do not lead to it: name the authority that issued it, with its intermediates.'
        : hint,
    );
  }
  const reason = `${cause ?? ''} ${message}`.replaceAll('_', ' ').toLowerCase();
  const [, known] = HANDSHAKES.find(([pattern]) => pattern.test(reason)) ?? [];
  if (known) return untrusted(...known(target));
  return untrusted(
    `the TLS handshake with ${baseUrl} failed: ${message.replace(/\.$/, '')}.`,
    'Check the server’s TLS versions and ciphers, and whether it demands a client certificate.',
  );
}

const described = (certificate: PeerCertificate | null): string => {
  if (certificate === null) return '';
  const { subject, issuer, validUntil } = certificate;
  return ` (for "${subject}", issued by ${issuer === subject ? 'itself' : `"${issuer}"`}, valid until ${validUntil})`;
};
