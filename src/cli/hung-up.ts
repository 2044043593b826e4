import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';

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
