import { isOrdinaryWord } from '../../wire/exchange/key-traces.js';
import { REDACTED } from '../../wire/exchange/redact.js';
import { HIDDEN_CHARACTERS } from '../../base/kernel/visible.js';
import { hasColour } from '../../report/terminal/look.js';
import { escaped } from '../../outcome/words/safe-text.js';
import { knownKeys } from '../../wire/targets/secret.js';
import { literal } from '../../base/kernel/literal.js';

/**
 * Sequences of the kit's colours, its live lines and Node's prompts: they neither outlive the screen nor
 * query it.
 */
const OWN = String.raw`\x1b\[(?:\d{1,2}(?:;\d{1,2})?m|\?25[lh]|\d{0,4}[ACDGHJK])|\r`;
const OTHERS = `[${HIDDEN_CHARACTERS}]`;
const isOwn = new RegExp(`^(?:${OWN})$`);

/** Shortest key to search in a text: a shorter one may be part of a word by chance. */
const TELLING = 6;

const guarded = new WeakSet<NodeJS.WritableStream>();

/**
 * Filters all output: no foreign control characters on a terminal, no escape sequences in a file, no key in
 * either.
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

/** Removes whole keys in any letter case; pieces in a target's text were removed before. */
function withoutKeys(text: string): string {
  let clean = text;
  for (const key of knownKeys()) {
    if (key.length < TELLING || isOrdinaryWord(key)) continue;
    const pattern = patterns.get(key) ?? new RegExp(literal(key), 'gi');
    patterns.set(key, pattern);
    clean = clean.replace(pattern, REDACTED);
  }
  return clean;
}
