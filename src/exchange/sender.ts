import { randomBytes } from 'node:crypto';
import type { OperationName } from '../contract/types.js';
import { openConnection } from './connection.js';
import type { Connection, HttpLimits } from './connection.js';
import { ACCEPT_ENCODING } from './decode.js';
import { placeholder, written } from './key-forms.js';
import type { KeyText } from './key-forms.js';
import type { Credential, Exchange, Header, Intent } from './types.js';

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

/** What every request of a run has in common. */
export interface SenderOptions {
  readonly baseUrl: string;
  /** Eight hexadecimal digits that name the run. */
  readonly run: string;
  readonly kit: { readonly name: string; readonly version: string };
  readonly limits: HttpLimits;
  /** Names each exchange, where several senders work side by side; "x1" and so on unless given. */
  readonly nextId?: () => string;
}

/** Sends described requests and gives exchanges. */
export interface Sender {
  /**
   * @param key in clear, or null for a request that carries none
   * @param fresh on a connection of its own, instead of the one that the last request used
   */
  send(spec: RequestSpec, key: string | null, fresh?: boolean): Promise<Exchange>;
  close(): Promise<void>;
}

/**
 * A sender for one target. The request of an exchange holds placeholders where the key stood; its answer is as it came,
 * for judging: whoever writes it down redacts it (`src/log/journal.ts`).
 * @param firstNumber where the numbering of exchanges starts, so that a process that takes over a run goes on counting
 */
export function createSender({ baseUrl, run, kit, limits, nextId }: SenderOptions, firstNumber = 1): Sender {
  const base = new URL(baseUrl);
  const basePath = base.pathname.replace(/\/+$/, '');
  const kept = openConnection(base.origin, limits);
  let number = firstNumber;

  async function sendOn(connection: Connection, spec: RequestSpec, key: string | null): Promise<Exchange> {
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
    const timed = await connection.send(assemble(fill));
    return { id, probe, operation, intent, credential, request: assemble(placeholder), ...timed };
  }

  return {
    async send(spec, key, fresh = false) {
      if (!fresh) return sendOn(kept, spec, key);
      const own = openConnection(base.origin, limits);
      try {
        return await sendOn(own, spec, key);
      } finally {
        await own.close();
      }
    },
    close: () => kept.close(),
  };
}

/** W3C Trace Context: the run's eight digits start every trace id, so that a server's own log can be searched for them. */
const traceparent = (run: string): string =>
  `00-${run}${randomBytes(12).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
