import { interruption } from '../../app/cli/process-end.js';
import {
  counted,
  exitCodeOf,
  findLines,
  idleIn,
  isKnown,
  NOTHING,
  progress,
  summary,
  type Account,
} from './account.js';
import type { Happening } from './hunt.js';
import { runShares } from './shares.js';
import { readOptions, type HuntOptions } from './options.js';
import { replayed } from './replay.js';

/** `npm run hunt`: looks for servers that the kit gets wrong. */

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Interval of progress messages, ms: updated in place on a terminal, one line each elsewhere. */
const EVERY_MS = process.stdout.isTTY ? 500 : 30_000;

const clock = (ms: number): string =>
  `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`;

const clear = process.stdout.isTTY ? '\r\u001B[K' : '';

/** Time over the limit, ms, before a hunt is aborted while it shrinks a find or waits for another minute. */
const GRACE_MS = 10_000;

async function hunt({ minutes, seed, only }: HuntOptions): Promise<number> {
  const begun = Date.now();
  using interrupted = interruption();
  const { signal } = interrupted;
  // Signals are handled from here on, so a reader of this line may interrupt.
  say(`seed ${seed}`);
  const until = begun + minutes * 60_000;
  const bound = new AbortController();
  // Not AbortSignal.timeout: within AbortSignal.any it may be garbage-collected before it fires.
  const grace = setTimeout(() => bound.abort(), until - begun + GRACE_MS);
  signal.addEventListener('abort', () => bound.abort(), { once: true });
  let account: Account = NOTHING;
  const take = (happening: Happening): void => {
    const isNew = happening.type === 'found' && !isKnown(account, happening.find);
    account = counted(account, happening);
    if (isNew)
      for (const [at, text] of findLines(happening.find).entries()) say(at === 0 ? clear + text : text);
  };
  const tick = setInterval(() => {
    const text = `${clock(Date.now() - begun)} of ${clock(minutes * 60_000)} · ${progress(account)}`;
    if (process.stdout.isTTY) process.stdout.write(clear + text);
    else say(text);
  }, EVERY_MS);
  try {
    await runShares({ names: only, seed, until }, bound.signal, take);
  } finally {
    clearInterval(tick);
    clearTimeout(grace);
  }
  process.stdout.write(clear);
  for (const name of only) say(summary(account, name));
  if (!signal.aborted)
    for (const name of idleIn(account, only)) say(`✗ ${name}: nothing was judged in so short a time`);
  const end = signal.aborted ? 'interrupted after' : 'in';
  say(`${account.finds.length} found ${end} ${clock(Date.now() - begun)}, seed ${seed}`);
  return exitCodeOf(account, only, signal.aborted);
}

const options = await readOptions(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  return null;
});
const isHelp = process.argv.includes('--help');
if (options === null) process.exitCode = 2;
else if (!isHelp)
  process.exitCode =
    options.replay === undefined ? await hunt(options) : await replayed(options.only, options.replay, say);
