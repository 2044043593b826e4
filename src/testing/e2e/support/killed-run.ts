import { join } from 'node:path';
import { startAltered } from '../../../proof/index.js';
import { CANARY, OTHERS, others, settings } from './canary.js';
import { start } from './command.js';
import { madeOnce } from './made-once.js';
import { untilEnded, workersOf } from './processes.js';
import { targetFile } from './targets.js';
import { atExchange, reaches } from './watch.js';

/**
 * Returns the one run of the suites as a process that was killed after some exchanges, with the number of
 * processes that it had. All of them have ended.
 */
export async function killedRun() {
  const { folder: cwd, value } = await madeOnce('killed run', make);
  return { ...value, cwd, directory: join(cwd, 'run') };
}

async function make(cwd: string) {
  // Slow, so that the moment lasts until the signal.
  const server = await startAltered({
    keys: { business: CANARY, ...OTHERS },
    variants: ['slow-and-jittery'],
  });
  try {
    const { file, env } = targetFile(cwd, server.baseUrl, CANARY, settings);
    const words = ['run', '--target', file, '--report-dir', 'run'];
    const run = start(words, { cwd, env: { ...env, ...others } });
    await reaches(run, join(cwd, 'run'), atExchange(20));
    const workers = workersOf(run.child.pid ?? 0);
    run.child.kill('SIGKILL');
    const ended = await run.ended;
    await untilEnded(workers);
    return { ...ended, workers: workers.length };
  } finally {
    await server.close();
  }
}
