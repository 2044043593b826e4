import { basename, join, resolve } from 'node:path';
import { plainAddress } from '../targets/base-url.js';
import { readProof } from '../run/proof.js';
import { readText } from '../contract/yaml-source.js';
import type { Acceptance } from '../log/record.js';
import { parseBaseline, type Baseline } from '../acceptance/baseline.js';
import { FILES } from '../log/files.js';
import type { Judged, RunReporter } from '../run/judge-target.js';
import { shownPath } from '../run/report-dir.js';
import { fillIn } from '../targets/placeholders.js';
import { createTerminalReporter, type TerminalOptions } from '../terminal/reporter.js';
import { badOption } from '../contract/errors.js';
import { loadLedger } from '../contract/ledger.js';
import { line, type Io } from './io.js';
import type { Arguments } from './command-table.js';

/** Reads a baseline file; null without one. Throws ConfigError. */
export const readBaseline = (file: string | undefined): Baseline | null =>
  file === undefined ? null : parseBaseline(readText(file, 'Name a readable baseline file.'), file);

/** Returns the acceptance as a log records it. */
export const acceptanceOf = (certificate: boolean, baseline: Baseline | null): Acceptance => ({
  certificate,
  baseline: baseline !== null,
  ...(baseline && { accepted: baseline.accepted }),
});

/** Returns the address for notifications, which may come from the environment, and may be missing there. */
export async function notifyTo(text: string | undefined, env: NodeJS.ProcessEnv): Promise<URL | null> {
  if (text === undefined) return null;
  const { notifyAddress } = await import('../run/notify.js');
  const address = fillIn(text, env, {});
  return address === undefined ? null : notifyAddress(address);
}

/** Returns the address of published runs without a final slash. Throws UsageError if a page cannot link to it. */
export function reportUrlFrom(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = plainAddress(text);
  if (url) return url.href.replace(/\/+$/, '');
  throw badOption(
    '--report-url takes an http or https address without password, query and fragment.',
    'Write it as --report-url https://ci.example.com/reports.',
  );
}

/** Posts the verdict. The result of this does not affect it. */
export async function notifyOthers(
  url: URL,
  { code, results, log, comparison, directory }: Judged,
  base: string | undefined,
  io: Io,
): Promise<void> {
  const { deliver, notificationOf } = await import('../run/notify.js');
  const { likelyCauses } = await import('../report/causes/likely.js');
  const causes = likelyCauses(results, log.exchanges, readProof()?.flaws ?? []);
  const place = {
    exitCode: code,
    report: shownPath(join(directory, FILES.page)),
    ...(base !== undefined && {
      reportUrl: `${base}/${encodeURIComponent(basename(resolve(directory)))}/${FILES.page}`,
    }),
  };
  const problem = await deliver(url, notificationOf(results, causes, comparison, place));
  if (problem !== null)
    for (const text of ['', `warning         --notify: ${problem}; the verdict is unchanged.`]) line(io.err, text);
}

/** Creates the terminal reporter of a run, by its options. */
export const reporterOf = (
  { reporter, verbose }: Pick<Arguments<'run'>, 'reporter' | 'verbose'>,
  io: Io,
): RunReporter => createTerminalReporter(terminalOptions({ stream: io.out, reporter, verbose, env: io.env }));

/** Adds the kit's rows and flaws to the options of a terminal reporter. */
export const terminalOptions = (how: Omit<TerminalOptions, 'rows' | 'flaws'>): TerminalOptions => ({
  ...how,
  rows: loadLedger().requirements,
  flaws: () => readProof()?.flaws ?? [],
});
