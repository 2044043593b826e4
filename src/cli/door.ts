import { isOrdinaryWord, REDACTED } from '../exchange/redact.js';
import { HIDDEN_CHARACTERS } from '../format/visible.js';
import { hasColour } from '../terminal/look.js';
import { escaped } from '../words/harmless.js';
import { knownKeys } from '../targets/secret.js';

/** What the kit's colours, its live lines and Node's questions write: nothing that outlives the screen or asks it anything. */
const OWN = String.raw`\x1b\[(?:\d{1,2}(?:;\d{1,2})?m|\?25[lh]|\d{0,4}[ACDGHJK])|\r`;
const OTHERS = `[${HIDDEN_CHARACTERS}]`;
const isOwn = new RegExp(`^(?:${OWN})$`);

/** A shorter key may be part of a word by chance. */
const TELLING = 6;

const guarded = new WeakSet<NodeJS.WritableStream>();

/**
 * The one door through which everything printed goes, whoever writes it: no control character of others reaches a terminal,
 * no escape sequence at all a file, and no key either.
 */
export function guard(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): void {
  if (guarded.has(stream)) return;
  guarded.add(stream);
  const hidden = new RegExp(stream.isTTY || hasColour(stream, env) ? `${OWN}|${OTHERS}` : OTHERS, 'gu');
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  const shown = (found: string): string =>
    (stream.isTTY && isOwn.test(found)) || found.length > 2 ? found : escaped(found);
  stream.write = (chunk: unknown, ...rest: unknown[]) =>
    write(typeof chunk === 'string' ? withoutKeys(chunk.replace(hidden, shown)) : chunk, ...rest);
}

const patterns = new Map<string, RegExp>();

/** Takes out whole keys, in any case of their letters: what a target says has lost the pieces of them before. */
function withoutKeys(text: string): string {
  let clean = text;
  for (const key of knownKeys()) {
    if (key.length < TELLING || isOrdinaryWord(key)) continue;
    const pattern = patterns.get(key) ?? new RegExp(key.replaceAll(/[^A-Za-z0-9]/g, String.raw`\$&`), 'gi');
    patterns.set(key, pattern);
    clean = clean.replace(pattern, REDACTED);
  }
  return clean;
}
