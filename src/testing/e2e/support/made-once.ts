import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RUNS_FOLDER } from '../../shared.js';

// Read first: a command that runs in this process replaces the environment.
const given = process.env[RUNS_FOLDER];

/** Folder of the runner; of this process in a file that runs by itself. */
function root(): string {
  if (given !== undefined) return given;
  own ??= mkdtempSync(join(tmpdir(), 'petstore-runs-'));
  return own;
}
let own: string | undefined;
process.on('exit', () => {
  if (own !== undefined) rmSync(own, { recursive: true, force: true });
});

const MAKER = 'maker';
const MADE = 'made.json';

type Made<Value> = { readonly value: Value } | { readonly error: string };

/**
 * Makes something in a folder once for all test processes, and returns the folder and what `make` resolved
 * with, as JSON. The first process that asks makes it; the others wait. Tests only read the folder.
 *
 * @param name all that the result depends on
 */
export async function madeOnce<Value>(
  name: string,
  make: (folder: string) => Promise<Value>,
): Promise<{ readonly folder: string; readonly value: Value }> {
  const place = join(root(), createHash('sha256').update(name).digest('hex').slice(0, 16));
  const folder = join(place, 'files');
  if (claims(place)) {
    mkdirSync(folder);
    const made: Made<Value> = await make(folder).then(
      (value) => ({ value }),
      (error: unknown) => ({
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
    );
    writeFileSync(join(place, `${MADE}.new`), JSON.stringify(made));
    // Whole at once, for those who wait.
    renameSync(join(place, `${MADE}.new`), join(place, MADE));
  }
  const maker = Number(readFileSync(join(place, MAKER), 'utf8'));
  // It polls, because another process's work raises no event here.
  while (!existsSync(join(place, MADE))) {
    if (!isAlive(maker) && !existsSync(join(place, MADE)))
      throw new Error(`The process that was making ${name} ended.`);
    await sleep(20);
  }
  const made = JSON.parse(readFileSync(join(place, MADE), 'utf8')) as Made<Value>;
  if ('error' in made) throw new Error(`${name} could not be made: ${made.error}`);
  return { folder, value: made.value };
}

/** True for the one process that makes this place: it appears with its maker's id, or not at all. */
function claims(place: string): boolean {
  if (existsSync(place)) return false;
  const mine = mkdtempSync(`${place}-`);
  writeFileSync(join(mine, MAKER), String(process.pid));
  try {
    renameSync(mine, place);
    return true;
  } catch (error) {
    if (!existsSync(join(place, MAKER))) throw error;
    rmSync(mine, { recursive: true });
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
