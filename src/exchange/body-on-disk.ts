import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer, Exchange } from './types.js';

/** Texts up to this length, in characters, stay in memory: hundreds of them take a few megabytes. */
const SMALL = 65_536;

/** The file with long texts; opened for the first. `places`: where a text begins that was put there before, by its hash. */
let store: { readonly file: number; readonly places: Map<string, number>; end: number } | undefined;

/**
 * The same exchange; a long body of it stands in a file until it is asked for, because a run remembers all that it was
 * answered. The file has no name any more and goes with the process. Where none can be written, memory has to do.
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

/** How much of an answer's text stands in memory, in characters. */
export const bodyInMemory = (answer: Answer): number =>
  answer.kind === 'none' || Object.getOwnPropertyDescriptor(answer, 'text')?.get ? 0 : answer.text.length;

function put(text: string): (() => string) | null {
  const bytes = Buffer.from(text);
  // What is given back must not hold the bytes, which a closure over them would.
  const { length } = bytes;
  try {
    store ??= { file: openNameless(), places: new Map(), end: 0 };
    const { file, places } = store;
    // A server that says the same a thousand times costs the disk as much as one that says it once.
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
    if (more === 0) throw new Error('a body that was put aside is gone');
    done += more;
  }
  return bytes.toString('utf8');
}

/** A file for this process alone, which nobody else finds and nothing has to remove. */
function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-conformance-'));
  const file = openSync(join(folder, 'bodies'), 'wx+', 0o600);
  try {
    rmSync(folder, { recursive: true });
  } catch (error) {
    // Where an open file cannot lose its name, it would stay behind.
    closeSync(file);
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return file;
}
