import { basename, join, resolve } from 'node:path';
import { plainAddress } from '../../wire/targets/base-url.js';
import { readText } from '../../base/kernel/yaml-source.js';
import type { Acceptance } from '../../log/header-record.js';
import { parseBaseline, type Baseline } from '../../outcome/acceptance/baseline.js';
import { FILES } from '../../log/files.js';
import type { RunReporter } from '../../report/run-reporter.js';
import type { Judged } from '../../run/judge-target.js';
import { shownPath } from '../../run/report-dir.js';
import { fillIn } from '../../wire/targets/placeholders.js';
import { createTerminalReporter, type TerminalOptions } from '../../report/terminal/reporter.js';
import { badOption } from '../../base/kernel/errors.js';
import { loadLedger, rowsOfSides } from '../../base/interface/ledger.js';
import { parseProperties, type OwnProperties } from '../../report/machine/case-properties.js';
import type { FailureNotification, Notification } from '../../run/notify.js';
import { print, type Io } from './io.js';
import type { Arguments } from './command-options.js';

/** Throws ConfigError. */
export const readBaseline = (file: string | undefined): Baseline | null =>
  file === undefined ? null : parseBaseline(readText(file, 'Name a readable baseline file.'), file);

/** Reads `--properties`: a map file, or `none`; undefined without it. Throws ConfigError. */
export function readProperties(
  file: string | undefined,
  own: readonly { readonly id: string }[] = [],
): OwnProperties | undefined {
  if (file === undefined || file === 'none') return file;
  const { requirements, ofClients } = loadLedger();
  const ids = [...requirements, ...ofClients, ...own].map(({ id }) => id);
  return parseProperties(readText(file, 'Name a readable file of properties, or none.'), file, ids);
}

export const acceptanceOf = (certificate: boolean, baseline: Baseline | null): Acceptance => ({
  certificate,
  baseline: baseline !== null,
  ...(baseline && { accepted: baseline.accepted }),
});

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

/**
 * Checks the addresses of --notify and --report-url, and returns what posts a verdict. The result of this
 * does not affect it.
 */
export async function notifier(
  {
    notify,
    reportUrl,
    label,
    target,
    baseUrl,
  }: Pick<Arguments<'run'>, 'notify' | 'reportUrl' | 'label' | 'target' | 'baseUrl'>,
  io: Io,
) {
  // The environment may lack it.
  const address = notify === undefined ? undefined : fillIn(notify, io.env, {});
  const base = reportUrlFrom(reportUrl);
  if (address === undefined) return { verdict: async () => undefined, failure: async () => undefined };
  const { deliver, failureNotification, notificationOf, notifyAddress } = await import('../../run/notify.js');
  const url = notifyAddress(address);
  const post = async (notification: Notification | FailureNotification, kept: string): Promise<void> => {
    const problem = await deliver(url, notification);
    if (problem !== null) print(io.err, ['', `warning         --notify: ${problem}; ${kept}.`]);
  };
  const verdict = async ({ code, document, comparison, directory }: Judged): Promise<void> => {
    const place = {
      exitCode: code,
      report: shownPath(join(directory, FILES.page)),
      ...(base !== undefined && {
        reportUrl: `${base}/${encodeURIComponent(basename(resolve(directory)))}/${FILES.page}`,
      }),
    };
    await post(notificationOf(document, comparison, place), 'the verdict is unchanged');
  };
  const failure = async (error: unknown): Promise<void> => {
    // An address with a password or a query may hold a secret.
    const address = baseUrl === undefined ? undefined : plainAddress(baseUrl)?.href;
    const asked = { label, target, baseUrl: address };
    await post(failureNotification(error, asked), 'the error above is unchanged');
  };
  return { verdict, failure };
}

export const reporterOf = (
  { reporter, verbose }: Pick<Arguments<'run'>, 'reporter' | 'verbose'>,
  io: Io,
): RunReporter => createTerminalReporter(terminalOptions({ stream: io.out, reporter, verbose, env: io.env }));

export const terminalOptions = (
  how: Omit<TerminalOptions, 'rows'>,
  sides?: Parameters<typeof rowsOfSides>[0],
): TerminalOptions => ({
  ...how,
  rows: rowsOfSides(sides),
});
