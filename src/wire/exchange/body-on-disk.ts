import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer, Exchange } from './types.js';

/** Most characters of a text that stays in memory: hundreds of them need a few megabytes. */
const SMALL = 65_536;

/** File for long texts, opened for the first one. `places`: start of each stored text by its hash. */
let store: { readonly file: number; readonly places: Map<string, number>; end: number } | undefined;

/**
 * Returns the exchange with a long body moved to a file until its use, because a run remembers all responses.
 * The file has no name and vanishes with the process. If no file can be written, the body stays in memory.
 */
export function withBodyOnDisk(exchange: Exchange): Exchange {
  const { answer } = exchange;
  if (answer.kind === 'none' || answer.text.length <= SMALL) return exchange;
  const read = put(answer.text);
  if (read === null) return exchange;
  return {
    ...exchange,
    answer: {
      ...answer,
      get text() {
        return read();
      },
    },
  };
}

/** Returns the characters of a response's text in memory. */
export const bodyInMemory = (answer: Answer): number =>
  answer.kind === 'none' || Object.getOwnPropertyDescriptor(answer, 'text')?.get ? 0 : answer.text.length;

function put(text: string): (() => string) | null {
  const bytes = Buffer.from(text);
  // The closure below must not keep the bytes in memory.
  const { length } = bytes;
  try {
    store ??= { file: openNameless(), places: new Map(), end: 0 };
    const { file, places } = store;
    // A repeated text takes space on disk only once.
    const hash = createHash('sha256').update(bytes).digest('base64');
    const at = places.get(hash) ?? store.end;
    if (at === store.end) {
      for (let done = 0; done < length;) done += writeSync(file, bytes, done, length - done, at + done);
      store.end += length;
      places.set(hash, at);
    }
    return () => readText(file, at, length);
  } catch {
    return null;
  }
}

function readText(file: number, at: number, length: number): string {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length;) {
    const more = readSync(file, bytes, done, length - done, at + done);
    if (more === 0) throw new Error('a body stored on disk is missing');
    done += more;
  }
  return bytes.toString('utf8');
}

/** Opens a file for this process only. No other process finds it, and it needs no removal. */
function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-conformance-'));
  const file = openSync(join(folder, 'bodies'), 'wx+', 0o600);
  try {
    rmSync(folder, { recursive: true });
  } catch (error) {
    // On some systems an open file keeps its name, and would stay behind.
    closeSync(file);
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return file;
}
