import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { Redact, Redacted } from '../wire/exchange/redact.js';
import { fileJournal } from './journal.js';
import { readOwnLog } from './read.js';
import { receivedBeside } from './received.js';
import { knownRedacted } from '../wire/exchange/redaction.js';
import type { LogRecord } from './record.js';

/**
 * Interval for reading a log that another process writes, ms: short enough to look live, long enough to cost
 * nothing.
 */
const INTERVAL_MS = 40;
const CHUNK_BYTES = 1 << 16;

/**
 * Hands over records appended to a log after a byte offset, those that are there already before it returns.
 * Returns a function that reads the rest and stops.
 */
export function followLog(
  file: string,
  from: number,
  onRecord: (record: Redacted<LogRecord>) => void,
): () => void {
  const descriptor = openSync(file, 'r');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const decoder = new StringDecoder('utf8');
  let position = from;
  let rest = '';

  const read = (): number => readSync(descriptor, chunk, 0, CHUNK_BYTES, position);
  function drain(): void {
    for (let size = read(); size > 0; size = read()) {
      position += size;
      const lines = (rest + decoder.write(chunk.subarray(0, size))).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') onRecord(knownRedacted(JSON.parse(line) as LogRecord));
    }
  }

  drain();
  const timer = setInterval(drain, INTERVAL_MS);
  return () => {
    clearInterval(timer);
    drain();
    closeSync(descriptor);
  };
}

/**
 * Waits until the process that writes a log reaches a phase, and takes the log over. `known`: what it
 * received so far.
 */
export async function takeOver(file: string, phase: 'suites' | 'own', redact: Redact, secret: string) {
  let stop: (() => void) | undefined;
  await new Promise<void>((resolve) => {
    stop = followLog(file, 0, (record) => {
      if (record.type === 'phase' && record.phase === phase) resolve();
    });
  });
  stop?.();
  const received = receivedBeside(file, secret);
  const { exchanges, preflight } = await readOwnLog(file);
  return {
    known: received.restored(exchanges),
    preflight,
    journal: fileJournal(file, redact, undefined, received),
  };
}
