import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Signals that end a run cleanly, with a footer in its log and with reports. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Exit code after a second interrupt, as in shells. */
const KILLED = 130;

/**
 * Turns the first signal into an abort; a second one ends the process, except a closing terminal's repeated
 * SIGHUP.
 */
export function interruption(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    if (controller.signal.aborted && name !== 'SIGHUP') process.exit(KILLED);
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
