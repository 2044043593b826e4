import hooks, { type AsyncHook } from 'node:async_hooks';

/**
 * Imported before `node:test`, which follows every promise of the process: it then knows to which suite a
 * test belongs, and to which test a stray error. The first is needed only until all files are imported. The
 * second costs a fifteenth of all processor time; here a stray error ends its process, which fails its file.
 */

const following: AsyncHook[] = [];
const { createHook } = hooks;
hooks.createHook = (callbacks) => {
  const hook = createHook(callbacks);
  following.push(hook);
  return hook;
};
await import('node:test');

/** Lets `node:test` follow nothing from here on. Tests that start later know their suite already. */
export function followNothing(): void {
  hooks.createHook = createHook;
  if (following.length === 0) return;
  for (const hook of following.splice(0)) hook.disable();
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      process.stderr.write(
        `${event}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      );
      process.exit(1);
    });
}
