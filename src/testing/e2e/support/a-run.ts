import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { startAltered } from '../../../proof/index.js';
import { petstoreHere, type Ended } from './command.js';
import { folder } from './folder.js';
import { madeOnce } from './made-once.js';
import { targetFile } from './targets.js';

/** What a shared run depends on. */
export interface RunOptions {
  readonly flaws?: readonly string[];
  readonly variants?: readonly string[];
  /** Words of the command besides the target and the folder of the reports. */
  readonly options: readonly string[];
}

/** A run that has ended, and what the server knows of it. */
export interface EndedRun extends Ended {
  /** Folder in which the command was started. */
  readonly cwd: string;
  /** Folder of its reports. */
  readonly directory: string;
  /** Key of the target file `target.yaml`. */
  readonly key: string;
}

/** Folder of the reports, below the working folder. */
const REPORTS = 'run';

/**
 * Returns a run with a Business key against a reference server, in the process of the first test that asks.
 * Tests of all files share it by its options: they read its folder, and change only a copy.
 */
export async function aRun({ flaws = [], variants = [], options }: RunOptions): Promise<EndedRun> {
  const name = `run ${JSON.stringify({ flaws, variants, options })}`;
  const { folder: cwd, value } = await madeOnce(name, async (cwd) => {
    const server = await startAltered({ flaws, variants });
    try {
      const { business: key } = server.keys;
      const { file, env } = targetFile(cwd, server.baseUrl, key);
      const words = ['run', '--target', file, '--report-dir', REPORTS, ...options];
      return { ...(await petstoreHere(words, { cwd, env })), key };
    } finally {
      await server.close();
    }
  });
  return { ...value, cwd, directory: join(cwd, REPORTS) };
}

/** Returns a run in a copy that the test may change. */
export function copyOf<Run extends { readonly cwd: string; readonly directory: string }>(
  t: TestContext,
  run: Run,
): Run {
  const cwd = folder(t);
  cpSync(run.cwd, cwd, { recursive: true });
  return { ...run, cwd, directory: join(cwd, run.directory.slice(run.cwd.length)) };
}

/** A run of one row against a server that breaks it: its default limit is 25. */
export const LISTS_25: RunOptions = {
  flaws: ['default-limit-twenty-five'],
  options: ['--requirement', 'list-limit-default'],
};
/** A run of one row against a sound server. */
export const LISTS: RunOptions = { options: ['--requirement', 'list-ok'] };
