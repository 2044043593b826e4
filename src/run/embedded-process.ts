import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageRoot } from '../contract/package-root.js';
import { EMBEDDED, readTargetFile } from '../targets/load-target.js';
import type { Environment } from '../targets/placeholders.js';
import { embeddedVariables, type Embedded } from './embedded.js';

/** The embedded server as a target that does not listen yet, for plans. */
export const plannedEmbedded = (env: Environment): Embedded['target'] =>
  readTargetFile(EMBEDDED, {
    ...env,
    ...embeddedVariables('http://127.0.0.1/v1', (name) => `stand-in-${name}`),
  });

/**
 * Starts the reference server in a process of its own: a load run that shared an event loop with its target would measure
 * itself.
 */
export async function startEmbeddedProcess(env: Environment): Promise<Embedded> {
  const { windows } = plannedEmbedded(env);
  const child = spawn(
    process.execPath,
    [
      join(packageRoot(), 'dist/src/cli/main.js'),
      'serve',
      '--minute',
      String(windows.minute),
      '--day',
      String(windows.day),
    ],
    // A group of its own, so that an interrupt from the keyboard does not end it before the run has its last answers.
    { stdio: ['ignore', 'pipe', 'inherit'], detached: true },
  );
  const end = (): void => void child.kill('SIGTERM');
  process.once('exit', end);
  const said = new Map<string, string>();
  for await (const line of createInterface({ input: child.stdout })) {
    const [name = '', value = ''] = line.split(/\s+/);
    said.set(name, value);
    if (said.has('sacrificial')) break;
  }
  const baseUrl = said.get('listening');
  if (baseUrl === undefined) throw new Error('The embedded server ended before it listened.');
  const target = readTargetFile(EMBEDDED, { ...env, ...embeddedVariables(baseUrl, (name) => said.get(name) ?? '') });
  return {
    target,
    close: async () => {
      process.off('exit', end);
      const ended = child.exitCode === null ? once(child, 'exit') : Promise.resolve();
      end();
      await ended;
    },
  };
}
