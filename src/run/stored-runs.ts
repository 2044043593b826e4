import { closeSync, lstatSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readResults } from '../acceptance/read-results.js';
import type { StoredRun } from '../acceptance/retention.js';
import { FILES } from '../report/files.js';

/** What runs write into their folders; `parts` is what several machines sent of one run. */
const OWN: ReadonlySet<string> = new Set([...Object.values(FILES), 'parts']);

/** A run that has no end yet may still be going so long after its last line, ms: it waits for windows, and for bans. */
const STILL_GOING_MS = 3_600_000;

/**
 * The runs that lie in a folder, by what they wrote themselves. What is no run of this kit beyond doubt is none: a link, a
 * folder without log or results, results that cannot be read.
 */
export function storedRuns(dir: string, now: number): readonly StoredRun[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [];
    const folder = join(dir, entry.name);
    try {
      const log = lstatSync(join(folder, FILES.log));
      if (!log.isFile() || !startsLikeALog(join(folder, FILES.log))) return [];
      const results = readResults(join(folder, FILES.results));
      const { scenario, part } = results.scope.selection ?? {};
      const isGoing = !results.complete && now - log.mtimeMs < STILL_GOING_MS;
      return [
        {
          folder,
          series: `${results.target.name}${scenario === undefined ? '' : ', under load'}${part === undefined ? '' : `, part ${part}`}`,
          startedAt: results.startedAt,
          spared: isGoing ? 'it may still be going' : whySpared(folder),
        },
      ];
    } catch {
      return [];
    }
  });
}

/** What a log begins with. */
const FIRST = '{"type":"header"';

/** Whether a file begins as a log does; logs may be large. */
function startsLikeALog(file: string): boolean {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(FIRST.length);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes)) === FIRST;
  } finally {
    closeSync(descriptor);
  }
}

/** What speaks for a run: somebody relies on its certificate, or has put something of their own beside it. */
function whySpared(folder: string): string | null {
  const entries = readdirSync(folder, { withFileTypes: true });
  if (entries.some(({ name }) => name === FILES.certificate)) return 'its certificate stands on it';
  const foreign = entries.find((entry) => !OWN.has(entry.name) || entry.isSymbolicLink());
  return foreign === undefined ? null : `it holds ${foreign.name}, which no run has written`;
}

/** Removes a run's folder; what a link in it leads to stays. */
export const removeRun = ({ folder }: StoredRun): void => rmSync(folder, { recursive: true });
