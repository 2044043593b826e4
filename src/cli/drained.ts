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
