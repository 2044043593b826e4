import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Signals that end a run cleanly, with a footer in its log and with reports. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Exit code after a second interrupt, as in shells. */
const KILLED = 130;
/**
 * Time after the first signal in which others belong to it, ms: a package manager passes SIGINT and SIGTERM
 * on, and the terminal sends its own as well.
 */
const ONE_WISH_MS = 1_000;

/**
 * Turns the first signal into an abort; one that comes later than `ONE_WISH_MS` ends the process, except a
 * closing terminal's repeated SIGHUP.
 */
export function interruption(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  let firstAt = Infinity;
  const onSignal = (name: NodeJS.Signals) => {
    const at = performance.now();
    if (at - firstAt > ONE_WISH_MS && name !== 'SIGHUP') process.exit(KILLED);
    firstAt = Math.min(firstAt, at);
    controller.abort();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => SIGNALS.forEach((name) => process.off(name, onSignal)),
  };
}

/**
 * Runs work, and reports it if Node would exit before its end, silently and with code 13: no event is left
 * then.
 */
export async function untilDone(work: () => Promise<unknown>, onDrained: () => void): Promise<void> {
  process.once('beforeExit', onDrained);
  try {
    await work();
  } finally {
    process.removeListener('beforeExit', onDrained);
  }
}

/** Closes terminals that are gone: Node restores all at exit, and aborts if one is missing (`ResetStdio`). */
export function leaveClosedTerminals(): void {
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  process.on('exit', () => {
    for (const descriptor of terminals) {
      if (isatty(descriptor)) continue;
      try {
        closeSync(descriptor);
      } catch {
        // It is closed already.
      }
    }
  });
}
