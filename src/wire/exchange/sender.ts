import type { HttpLimits } from './connection.js';
import { ACCEPT_ENCODING } from './decode.js';
import { KeptConnection, nothingKnown, type Afterwards, type Sending } from './kept-connection.js';
import { header, traceparent, userAgent } from './headers.js';
import { grownTo, placeholder, written } from './key-forms.js';
import { watchStandstills } from './stalls.js';
import { assembled, basePathOf, exchangeOf, type RequestSpec } from './request-spec.js';
import type { Answer, Exchange, Header } from './types.js';

interface SenderOptions {
  readonly baseUrl: string;
  /** Eight hexadecimal digits that identify the run. */
  readonly run: string;
  readonly limits: HttpLimits;
  /** Returns the id of the next exchange, for several parallel senders; "x1" and so on by default. */
  readonly nextId?: () => string;
  /** Called for the first bytes after a response that belong to none, possibly long after it. */
  readonly onSurplus?: (after: SurplusAfter) => void;
  /** Known behaviour after responses, shared with other senders to the server. */
  readonly afterwards?: Afterwards;
}

export type SurplusAfter = Pick<Exchange, 'id' | 'probe'>;

export type Sender = ReturnType<typeof createSender>;

/**
 * The request in an exchange has placeholders for the key. Its response is unchanged, for judging: the log
 * redacts it (`src/log/journal.ts`).
 *
 * @param firstNumber first number of an exchange, so that a resumed run continues the count
 */
export function createSender(
  { baseUrl, run, limits, nextId, onSurplus, afterwards = nothingKnown() }: SenderOptions,
  firstNumber = 1,
) {
  const base = new URL(baseUrl);
  const basePath = basePathOf(base);
  const kept = new KeptConnection(base.origin, limits, afterwards);
  const standstills = watchStandstills();
  let number = firstNumber;

  async function sendOn(
    connection: KeptConnection,
    spec: RequestSpec,
    key: string | null,
  ): Promise<Exchange> {
    const id = nextId?.() ?? `x${number++}`;
    const common: Header[] = [
      ['Accept', acceptOf(spec)],
      ['Accept-Encoding', ACCEPT_ENCODING],
      ['User-Agent', userAgent(run, id)],
      ['traceparent', traceparent(run)],
    ];
    const sent = assembled(spec, basePath, common, (form) => written(key ?? '', form));
    const { probe, operation, credential } = spec;
    const sending: Sending = {
      isOwn: credential.kind === 'valid',
      kindOf: ({ answer }) => `${operation ?? spec.method} ${statusIn(answer)}`,
      onSurplus: () => onSurplus?.({ id, probe }),
    };
    const first = await connection.send(sent, sending);
    // How a connection ends while this machine stands still says nothing about the server.
    const isLost = isCutOff(first.answer) && sent.method !== 'POST' && standstills.since(first.sentAt);
    const again = isLost ? await connection.send(sent, sending) : null;
    const timed = again ? { ...again, attempts: first.attempts + again.attempts } : first;
    const size = credential.kind === 'invalid' ? grownTo(spec, key ?? '') : null;
    return exchangeOf(spec, {
      id,
      request: assembled(spec, basePath, common, placeholder),
      ...timed,
      ...(size !== null && { grownTo: size }),
      ...(losesTls(base, timed.answer) && { losesTls: true as const }),
    });
  }

  return {
    /**
     * @param key in clear, or null for a request without one
     * @param fresh if true, sends on a new connection instead of the kept one
     */
    async send(spec: RequestSpec, key: string | null, fresh = false): Promise<Exchange> {
      if (!fresh) return sendOn(kept, spec, key);
      const own = new KeptConnection(base.origin, limits, afterwards, kept);
      try {
        return await sendOn(own, spec, key);
      } finally {
        await own.close();
      }
    },
    /** Resolves when no more bytes can follow the responses so far. */
    settled: (): Promise<void> => kept.settled(),
    close(): Promise<void> {
      standstills.stop();
      return kept.close();
    },
  };
}

/**
 * Returns the media types that a request accepts: JSON for a listing, anything for others, as curl and fetch
 * send. The interface knows only JSON, but frameworks may return HTML or XML unless a request names JSON. By
 * operation, so that a control accepts the same as its negative probe.
 */
const acceptOf = ({ operation }: RequestSpec): string =>
  operation === 'listPets' ? 'application/json' : '*/*';

/** True for a redirect from https to http on the same host: the service does not know that a proxy ends TLS. */
function losesTls({ protocol, hostname }: URL, answer: Answer): boolean {
  if (protocol !== 'https:' || answer.kind === 'none' || answer.status < 300 || answer.status > 399)
    return false;
  const location = header(answer.headers, 'location') ?? '';
  return /^http:/i.test(location) && URL.canParse(location) && new URL(location).hostname === hostname;
}

const isCutOff = (answer: Answer): boolean =>
  answer.kind === 'none' && (answer.code === 'timeout' || answer.code === 'reset');

const statusIn = (answer: Answer): number => (answer.kind === 'response' ? answer.status : 0);
