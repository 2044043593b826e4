import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Signals that end a run in good order: its log gets a footer, and reports are written. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The exit code of a process that a second interrupt ends at once, as shells have it. */
const KILLED = 130;

/**
 * Turns the first signal into an abort; a second one ends the process at once. A terminal that closes may send its own several
 * times, and nobody is there who would be in a hurry.
 */
export function interruption(): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    if (controller.signal.aborted && name !== 'SIGHUP') process.exit(KILLED);
    controller.abort();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return { signal: controller.signal, release: () => SIGNALS.forEach((name) => process.off(name, onSignal)) };
}

/**
 * Runs something that must not end in silence. Node ends a process as soon as nothing can happen any more, also one whose
 * work is not done, and says so with an exit code of its own (13) and not in the kit's words: then `onDrained` has the last.
 */
export async function untilDone(work: () => Promise<unknown>, onDrained: () => void): Promise<void> {
  process.once('beforeExit', onDrained);
  try {
    await work();
  } finally {
    process.removeListener('beforeExit', onDrained);
  }
}

/**
 * Node gives a terminal back as it found it when a process ends, and aborts, with no exit code, where there is none any more
 * (`ResetStdio`). What leads nowhere by then is closed before.
 */
export function leaveClosedTerminals(): void {
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  process.on('exit', () => {
    for (const descriptor of terminals) {
      if (isatty(descriptor)) continue;
      try {
        closeSync(descriptor);
      } catch {
        // Closed already.
      }
    }
  });
}
