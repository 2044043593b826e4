import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Exchange } from './types.js';

/** Texts up to this length, in characters, stay in memory: hundreds of them take a few megabytes. */
const SMALL = 65_536;

/** Where this process puts long texts; opened for the first. */
let shelf: { readonly file: number; end: number } | null | undefined;

/**
 * The same exchange; a long body of it stands in a file until it is asked for, because a run remembers all that it was
 * answered. The file has no name any more and goes with the process. Where none can be written, memory has to do.
 */
export function shelved(exchange: Exchange): Exchange {
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

function put(text: string): (() => string) | null {
  const bytes = Buffer.from(text);
  try {
    shelf ??= { file: openNameless(), end: 0 };
    const { file, end: at } = shelf;
    for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, at + done);
    // What is given back must not hold the bytes, which a closure over them would.
    const { length } = bytes;
    shelf.end += length;
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
