import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import type { Exchange } from '../wire/exchange/types.js';

/**
 * Exchanges that the log had to change, as they were received. A run has several processes, and later ones judge what earlier
 * ones received: redacted text would mislead them. So these few stand beside the log, encrypted with a secret that only the
 * run's processes have, until the run ends.
 */
export interface Received {
  readonly add: (exchange: Exchange) => void;
  /** Returns exchanges of the log as they were received. */
  readonly restored: (logged: readonly Exchange[]) => readonly Exchange[];
  readonly remove: () => void;
}

/** AES-GCM also detects a cut or changed line. Its nonce has 12 bytes, its tag 16 (NIST SP 800-38D). */
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Returns a new secret for a run: 32 bytes in Base64. */
export const newSecret = (): string => randomBytes(32).toString('base64');

/** Opens the exchanges beside a log. The file exists only if there is one. */
export function receivedBeside(log: string, secret: string): Received {
  const file = `${log}.received`;
  const key = Buffer.from(secret, 'base64');
  const open = (line: string): readonly Exchange[] => {
    const bytes = Buffer.from(line, 'base64');
    const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)];
    try {
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAuthTag(tag);
      const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
      return [JSON.parse(text.toString('utf8')) as Exchange];
    } catch {
      // Half a line of a killed process.
      return [];
    }
  };
  return {
    add(exchange) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      const sealed = Buffer.concat([cipher.update(JSON.stringify(exchange), 'utf8'), cipher.final()]);
      const line = Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
      appendFileSync(file, `${line}\n`, { mode: 0o600 });
    },
    restored(logged) {
      if (!existsSync(file)) return logged;
      const lines = readFileSync(file, 'latin1').split('\n');
      const originals = new Map(lines.flatMap(open).map((exchange) => [exchange.id, exchange]));
      return logged.map((exchange) => originals.get(exchange.id) ?? exchange);
    },
    remove: () => rmSync(file, { force: true }),
  };
}
