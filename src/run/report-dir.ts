import { mkdirSync, readdirSync, statSync, closeSync, lstatSync, openSync, readSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { whyUnreadable } from '../base/kernel/yaml-source.js';
import { isFolder } from '../base/kernel/places.js';
import { partIn } from '../outcome/acceptance/load-history.js';
import { isOneEnvironment } from '../outcome/acceptance/environments.js';
import { readResults } from '../outcome/results/read-results.js';
import type { Selection } from '../log/header-record.js';
import type { RunLog } from '../log/run-log.js';
import type { Results } from '../outcome/results/results.js';
import { JUDGED } from '../judge/verdict.js';
import { FILES } from '../log/files.js';
import type { StoredRun } from '../outcome/acceptance/retention.js';
import { writeInPlace, writtenHere } from './own-file.js';
import { badPlace } from '../base/kernel/errors.js';

/** Folder of all runs, in which a run finds earlier ones. */
export const REPORTS = 'reports';
/** File in the folder of all runs that names the newest. */
export const LATEST = 'latest.json';

/** Creates a run's folder: the given one, or a new one under `reports/`. Throws UsageError report-dir. */
export function makeReportDir(given: string | undefined, targetName: string, startedAt: Date): string {
  const stamp = startedAt.toISOString().replace(/\.\d+/, '').replaceAll(':', '-');
  const name = join(REPORTS, `${stamp}-${targetName.replaceAll(/[^\w.-]+/g, '-')}`);
  const candidates = given ?? [name, ...Array.from({ length: 98 }, (_, at) => `${name}-${at + 2}`)];
  for (const directory of [candidates].flat()) {
    try {
      makeFolder(dirname(directory));
      if (given === undefined) mkdirSync(directory, OWNERS);
      else makeFolder(directory);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST' && given === undefined) continue;
      throw badPlace(
        `The report folder ${directory} cannot be created (${whyUnreadable(error)}).`,
        'Name another with --report-dir.',
        error,
      );
    }
    checkOwn(directory);
    return directory;
  }
  throw badPlace(`No free name is left for a report folder like ${name}.`, 'Name one with --report-dir.');
}

/**
 * Rejects entries that a run would empty or overwrite: Playwright empties its folder, and a link leads to
 * another file.
 */
function checkOwn(directory: string): void {
  const standing = readdirSync(directory, { withFileTypes: true }).filter(({ name }) => OWN.has(name));
  if (standing.some(({ name }) => name === FILES.log))
    throw badPlace(
      `${directory} holds the log of another run.`,
      'Name a new folder with --report-dir: a log is never overwritten.',
    );
  const foreign = standing.find((entry) => entry.name === FILES.playwright || !entry.isFile());
  if (foreign === undefined) return;
  const path = join(directory, foreign.name);
  throw badPlace(
    foreign.name === FILES.playwright
      ? `${path} already exists, and the run would empty it.`
      : `${path} is not a regular file, and the run would overwrite its target.`,
    'Name a new folder with --report-dir.',
  );
}

const OWN: ReadonlySet<string> = new Set(Object.values(FILES));
/** Reports quote a server's responses, so only their owner may read them. */
const OWNERS = { mode: 0o700 };

/** Creates a folder and its parents. One by one, because Node's recursion never ends in a place like /proc. */
export function makeFolder(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(directory) !== directory) makeFolder(dirname(directory));
  try {
    mkdirSync(directory, OWNERS);
  } catch (error) {
    // Another run may have created it.
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Writes the file that names the newest run; leaves a foreign file or a link unchanged. */
export function writeLatest(directory: string, results: Results): void {
  const { verdict, complete, startedAt, target } = results;
  const latest = {
    run: basename(directory),
    report: join(basename(directory), FILES.page),
    verdict,
    complete,
    startedAt,
    target: target.name,
  };
  const file = join(dirname(directory), LATEST);
  const isOurs = writtenHere(file, (text) => {
    const before: unknown = JSON.parse(text);
    return (
      typeof before === 'object' && before !== null && Object.keys(latest).every((name) => name in before)
    );
  });
  if (isOurs) writeInPlace(file, `${JSON.stringify(latest, null, 2)}\n`);
}

export interface EarlierRun {
  readonly directory: string;
  readonly results: Results;
}

/** Returns a target's earlier runs, newest first. Excludes load runs, which judge only some rows. */
export function earlierRuns(reports: string, targetName: string): readonly EarlierRun[] {
  const runs = safeList(reports).flatMap((name) => {
    const directory = join(reports, name);
    try {
      const results = readResults(join(directory, FILES.results));
      const isOfTarget = results.target.name === targetName;
      return isOfTarget && results.scope.selection?.scenario === undefined ? [{ directory, results }] : [];
    } catch {
      return [];
    }
  });
  return runs.sort((a, b) => (a.results.startedAt < b.results.startedAt ? 1 : -1));
}

/** The run that a new one is compared with, and the target's other runs, oldest first. */
export interface ComparedRun extends EarlierRun {
  readonly earlier: readonly Results[];
}

/**
 * Returns the run to compare with: the newest of the same scope, then the newest of the whole, then the
 * newest. It is the one that reports name; each row is compared with its own last result, which another run
 * may have. Runs that judged nothing, and traffic of others, do not count. Runs of another address count only
 * where none is of this one. Pure.
 *
 * @param runs newest first
 */
export function runToCompare(
  runs: readonly EarlierRun[],
  selection: Selection | null,
  target: Pick<Results['target'], 'name' | 'baseUrl'>,
): ComparedRun | null {
  const all = runs.filter(
    ({ results }) =>
      !results.obstacle &&
      results.sides === undefined &&
      results.requirements.some(({ outcome }) => JUDGED.has(outcome)),
  );
  const here = all.filter(({ results }) => isOneEnvironment(results.target, target));
  const judged = here.length > 0 ? here : all;
  const ofScope = (wanted: Selection | null) =>
    judged.find(({ results }) => isDeepStrictEqual(results.scope.selection, wanted));
  const run = ofScope(selection) ?? ofScope(null) ?? judged[0];
  if (run === undefined) return null;
  // A narrow run may leave out what a newer run of another scope judged.
  const others = judged.filter((other) => other !== run).map(({ results }) => results);
  return { ...run, earlier: others.toReversed() };
}

/**
 * Returns the run with which a finished one was compared: one that had ended when it began, in the folder
 * around its own or, if none is there, where commands find runs. Traffic and load were compared with none.
 */
export function comparedBefore(directory: string, { header, capacity }: RunLog): ComparedRun | null {
  const { target, scope, startedAt } = header;
  if (scope.sides !== undefined || capacity !== null) return null;
  const runs = [dirname(resolve(directory)), REPORTS]
    .map((reports) =>
      earlierRuns(reports, target.name).filter(({ results }) => results.finishedAt <= startedAt),
    )
    .find(({ length }) => length > 0);
  return runs ? runToCompare(runs, scope.selection, target) : null;
}

function safeList(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

export const logIn = (path: string): string => (isFolder(path) ? join(path, FILES.log) : path);

export const shownPath = (path: string): string => {
  const short = relative(process.cwd(), path);
  return short === '' || short.startsWith('..') ? path : short;
};

/**
 * Time after its last line while a run without an end may still be running, ms: it waits for windows and
 * bans.
 */
const STILL_GOING_MS = 3_600_000;

/**
 * Lists the runs in a folder by their own files. Excludes links, and folders without a log or readable
 * results.
 */
export function storedRuns(dir: string, now: number): readonly StoredRun[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [];
    const folder = join(dir, entry.name);
    try {
      const log = lstatSync(join(folder, FILES.log));
      if (!log.isFile() || !startsLikeALog(join(folder, FILES.log))) return [];
      const results = readResults(join(folder, FILES.results));
      const part = partIn(results);
      const underLoad = results.scope.selection?.scenario === undefined ? '' : ', under load';
      const ofPart = part === null ? '' : `, part ${part}`;
      const isGoing =
        !results.complete &&
        now - log.mtimeMs < STILL_GOING_MS &&
        !endsWithFooter(join(folder, FILES.log), log.size);
      return [
        {
          folder,
          series: `${results.target.name}${underLoad}${ofPart}`,
          startedAt: results.startedAt,
          spared: isGoing ? 'it may still be running' : whySpared(folder),
        },
      ];
    } catch {
      return [];
    }
  });
}

const FIRST = '{"type":"header"';
const LAST = '{"type":"footer"';
/** Longest footer that is looked for, bytes; the last line of a run that goes on may be longer. */
const LONGEST_FOOTER = 65_536;

/** Is true if a file starts like a log; reads only the start, because logs may be large. */
const startsLikeALog = (file: string): boolean => textAt(file, 0, FIRST.length) === FIRST;

/** Returns whether a log's last line is the record that ends a run, also one that was cut short. */
function endsWithFooter(file: string, size: number): boolean {
  const end = textAt(file, Math.max(0, size - LONGEST_FOOTER), LONGEST_FOOTER).trimEnd();
  return end.slice(end.lastIndexOf('\n') + 1).startsWith(LAST);
}

function textAt(file: string, position: number, length: number): string {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, length, position));
  } finally {
    closeSync(descriptor);
  }
}

function whySpared(folder: string): string | null {
  const entries = readdirSync(folder, { withFileTypes: true });
  if (entries.some(({ name }) => name === FILES.certificate)) return 'its certificate needs it';
  // `parts` holds one run's data from several machines.
  const foreign = entries.find(
    (entry) => !(OWN.has(entry.name) || entry.name === 'parts') || entry.isSymbolicLink(),
  );
  return foreign === undefined ? null : `it holds ${foreign.name}, which no run wrote`;
}

/** Removes a run's folder; targets of links in it stay. */
export const removeRun = ({ folder }: StoredRun): void => rmSync(folder, { recursive: true });
