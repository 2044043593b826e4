import type { OperationName } from '../contract/types.js';
import type { HttpLimits } from './connection.js';
import { ACCEPT_ENCODING } from './decode.js';
import { keptConnection, nothingKnown, type Afterwards, type KeptConnection } from './kept-connection.js';
import { traceparent } from './headers.js';
import { placeholder, written, type KeyText } from './key-forms.js';
import type { Answer, Credential, Exchange, Header, Intent } from './types.js';

/** A request as a probe describes it, before a key is put in. */
export interface RequestSpec {
  readonly probe: string;
  readonly operation: OperationName | null;
  readonly intent: Intent;
  readonly credential: Credential;
  readonly method: string;
  /** Below the base address, with the query, e.g. `/pets?limit=1`. */
  readonly path: KeyText;
  readonly headers: readonly (readonly [name: string, value: KeyText])[];
  readonly body: string | null;
}

/** Options that all requests of a run share. */
export interface SenderOptions {
  readonly baseUrl: string;
  /** Eight hexadecimal digits that name the run. */
  readonly run: string;
  readonly kit: { readonly name: string; readonly version: string };
  readonly limits: HttpLimits;
  /** Names each exchange, where several senders work side by side; "x1" and so on unless given. */
  readonly nextId?: () => string;
  /** Is told of the first bytes that came after an answer and belong to none; possibly long after that answer. */
  readonly onSurplus?: (after: SurplusAfter) => void;
  /** What is known of what comes after the server's answers, shared with other senders to it. */
  readonly afterwards?: Afterwards;
}

/** The request whose answer was followed by bytes that belong to none. */
export type SurplusAfter = Pick<Exchange, 'id' | 'probe'>;

/** Sends described requests and gives exchanges. */
export interface Sender {
  /**
   * @param key in clear, or null for a request that carries none
   * @param fresh on a connection of its own, instead of the one that the last request used
   */
  send(spec: RequestSpec, key: string | null, fresh?: boolean): Promise<Exchange>;
  /** Resolves once nothing more is to be expected after the answers so far. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A sender for one target. The request of an exchange holds placeholders where the key stood; its answer is as it came,
 * for judging: whoever writes it down redacts it (`src/log/journal.ts`).
 * @param firstNumber where the numbering of exchanges starts, so that a process that takes over a run goes on counting
 */
export function createSender(
  { baseUrl, run, kit, limits, nextId, onSurplus, afterwards = nothingKnown() }: SenderOptions,
  firstNumber = 1,
): Sender {
  const base = new URL(baseUrl);
  const basePath = base.pathname.replace(/\/+$/, '');
  const open = (): KeptConnection => keptConnection(base.origin, limits, afterwards);
  const kept = open();
  let number = firstNumber;

  async function sendOn(connection: KeptConnection, spec: RequestSpec, key: string | null): Promise<Exchange> {
    const id = nextId?.() ?? `x${number++}`;
    const common: Header[] = [
      ['Accept', 'application/json'],
      ['Accept-Encoding', ACCEPT_ENCODING],
      ['User-Agent', `${kit.name}/${kit.version} (run ${run}; ${id})`],
      ['traceparent', traceparent(run)],
    ];
    const fill = (form: Parameters<typeof written>[1]) => written(key ?? '', form);
    const assemble = (text: Parameters<KeyText>[0]) => ({
      method: spec.method,
      path: `${basePath}${spec.path(text)}`,
      headers: [...common, ...spec.headers.map(([name, value]) => [name, value(text)] as const)],
      body: spec.body,
    });
    const { probe, operation, intent, credential } = spec;
    const { sentAt, latencyMs, attempts, answer } = await connection.send(assemble(fill), {
      isOwn: credential.kind === 'valid',
      kindOf: (sent) => `${operation ?? spec.method} ${statusIn(sent.answer)}`,
      onSurplus: () => onSurplus?.({ id, probe }),
    });
    return {
      id,
      probe,
      operation,
      intent,
      credential,
      request: assemble(placeholder),
      sentAt,
      latencyMs,
      attempts,
      answer,
    };
  }

  return {
    async send(spec, key, fresh = false) {
      if (!fresh) return sendOn(kept, spec, key);
      const own = open();
      try {
        return await sendOn(own, spec, key);
      } finally {
        await own.close();
      }
    },
    settled: () => kept.settled(),
    close: () => kept.close(),
  };
}

const statusIn = (answer: Answer): number => (answer.kind === 'response' ? answer.status : 0);
