import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { KEY_BYTES, sealed, unsealed } from '../base/kernel/sealed.js';
import type { Exchange } from '../wire/exchange/types.js';

/**
 * Exchanges that the log had to change, as they were received. A run has several processes, and later ones
 * judge what earlier ones received: redacted text would mislead them. So these few stand next to the log,
 * encrypted with a secret that only the run's processes have, until the run ends.
 */
export interface Received {
  readonly add: (exchange: Exchange) => void;
  readonly restored: (logged: readonly Exchange[]) => readonly Exchange[];
  readonly remove: () => void;
}

/** A key in Base64. */
export const newSecret = (): string => randomBytes(KEY_BYTES).toString('base64');

const PLACE = 'received';

/** Opens the exchanges next to a log. The file exists only if there is one. */
export function receivedBeside(log: string, secret: string): Received {
  const file = `${log}.received`;
  const key = Buffer.from(secret, 'base64');
  // Half a line of a killed process does not open.
  const open = (line: string): readonly Exchange[] => {
    const text = unsealed(line, key, PLACE);
    return text === null ? [] : [JSON.parse(text) as Exchange];
  };
  return {
    add: (exchange) =>
      appendFileSync(file, `${sealed(JSON.stringify(exchange), key, PLACE)}\n`, { mode: 0o600 }),
    restored(logged) {
      if (!existsSync(file)) return logged;
      const lines = readFileSync(file, 'latin1').split('\n');
      const originals = new Map(lines.flatMap(open).map((exchange) => [exchange.id, exchange]));
      return logged.map((exchange) => originals.get(exchange.id) ?? exchange);
    },
    remove: () => rmSync(file, { force: true }),
  };
}
