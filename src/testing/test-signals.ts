/** Exit codes of a run that a signal ended, as a shell gives them: 128 and the signal's number. */
const STOPPED = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Ends this process at a signal that asks it to, once what it started was told. */
export function endAtSignal(tell: (signal: NodeJS.Signals) => void): void {
  for (const [signal, code] of Object.entries(STOPPED))
    process.once(signal, () => {
      tell(signal as NodeJS.Signals);
      process.exit(code);
    });
}
