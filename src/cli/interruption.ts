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
