import { setTimeout as sleep } from 'node:timers/promises';
import { isInClear } from '../wire/targets/base-url.js';
import type { Results } from '../outcome/results/results.js';
import type { Comparison } from '../outcome/acceptance/compare.js';
import { comparisonSentence } from '../report/comparison-sentence.js';
import type { ShownFinding } from '../outcome/words/findings.js';
import { namingRequest } from '../report/rows/blocks.js';
import type { RowView } from '../report/rows/row-view.js';
import type { RunDocument } from '../report/run-document.js';
import type { Outcome } from '../judge/verdict.js';
import { isSuccess } from '../base/interface/success.js';
import { counted, duration } from '../base/kernel/format.js';
import { badOption, type UsageError, UserError } from '../base/kernel/errors.js';
import { kit } from '../base/kernel/package.js';

/** Message posted at the end of a run. Receivers read these members: docs/quality-assurance.md lists them. */
export type Notification = ReturnType<typeof notificationOf>;

/**
 * Returns the verdict of a run and its changes as a message. Pure.
 *
 * @param place exit code, path of the page from the folder where the run started, and its address if runs are
 *   published
 */
export function notificationOf(
  { results, sentence, rows }: RunDocument,
  comparison: Comparison | null,
  place: { readonly exitCode: number; readonly report: string; readonly reportUrl?: string },
) {
  const idsOf = (wanted: Outcome) => rows.flatMap(({ id, outcome }) => (outcome === wanted ? [id] : []));
  const { kit, target, label, verdict, complete, startedAt, finishedAt, counts, baseline, accepted } =
    results;
  return {
    schemaVersion: 1 as const,
    kit,
    target: { name: target.name, baseUrl: target.baseUrl },
    ...(label !== undefined && { label }),
    verdict,
    /** What decides the exit code, if that is a baseline, then the quotable sentence with the verdict. */
    text: `${unmetWords(results)}${sentence}`,
    exitCode: place.exitCode,
    complete,
    /** Cause in the run itself, such as a refused key, from which inconclusive requirements follow. */
    ...(results.cause && { cause: results.cause }),
    startedAt,
    finishedAt,
    counts,
    /** Whether exactly the accepted deviations occurred, why not, and which did; absent without a baseline. */
    ...(baseline && {
      baseline: {
        met: baseline.met,
        problems: baseline.problems,
        accepted: (accepted ?? []).map(({ requirement, expires, link }) => ({ requirement, expires, link })),
      },
    }),
    failed: results.obstacle ? [] : idsOf('failed'),
    /** What is new against the earlier run or the baseline comes first. */
    failures: results.obstacle
      ? []
      : rows.toSorted((one, other) => Number(other.isNew) - Number(one.isNew)).flatMap(failureOf),
    notEstablished: results.obstacle ? [] : idsOf('inconclusive'),
    /** Null without a previous run. */
    changed: comparison && {
      ...whenOf(comparison.since),
      text: comparisonSentence(comparison),
      requirements: comparison.changes.map(({ id, kind }) => ({
        id,
        kind,
        /** The run that has the result with which this one is compared. */
        ...whenOf(comparison.sides.get(id)?.beforeIn ?? comparison.since),
      })),
    },
    report: place.report,
    ...(place.reportUrl !== undefined && { reportUrl: place.reportUrl }),
  };
}

const whenOf = ({ startedAt, label }: Results) => ({
  since: startedAt,
  ...(label !== undefined && { label }),
});

/** Problems of a baseline that a message names; the run printed all. */
const MOST_PROBLEMS = 3;

/** Says why a baseline is not met, before the verdict, as the page does; empty where it is. */
function unmetWords({ baseline }: RunDocument['results']): string {
  if (!baseline || baseline.met) return '';
  const left = baseline.problems.length - MOST_PROBLEMS;
  return [
    'The baseline is not met.',
    ...baseline.problems.slice(0, MOST_PROBLEMS).map(({ message }) => message),
    ...(left > 0 ? [`${counted(left, 'more problem')}.`] : []),
    '',
  ].join(' ');
}

function failureOf(row: RowView) {
  const {
    id,
    outcome,
    groups: [group, ...others],
    cause,
  } = row;
  if (outcome !== 'failed' || !group) return [];
  return [
    {
      id,
      ...findingOf(row, group.first),
      /** First finding of each further pair of expected and received. */
      ...(others.length > 0 && {
        also: others.slice(0, MOST_GROUPS).map(({ first }) => findingOf(row, first)),
      }),
      ...(cause && { likelyCause: cause.title }),
    },
  ];
}

/** Further kinds of finding of a requirement; results.json has all. */
const MOST_GROUPS = 5;

function findingOf(row: RowView, finding: ShownFinding) {
  const { message, expected, actual, news } = finding;
  return {
    found: namingRequest(row, finding, message),
    ...(expected !== undefined && { expected }),
    ...(actual !== undefined && { received: actual }),
    /** `new` since the earlier run, or `not-accepted` by the baseline; absent for what was known. */
    ...(news && { news }),
  };
}

/** What a command was asked for, as far as it is known. */
export interface Asked {
  readonly label?: string | undefined;
  /** Name or file of the target. */
  readonly target?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/**
 * Returns the message of a command that ended before a verdict, with exit code 2: a wrong option or file, a
 * key in use, a fault of the kit. Pure.
 */
export function failureNotification(error: unknown, { label, target, baseUrl }: Asked = {}) {
  const isKnown = error instanceof UserError;
  return {
    schemaVersion: 1 as const,
    kit: kit(),
    ...(target !== undefined
      ? { target: { name: target } }
      : baseUrl !== undefined && { target: { baseUrl } }),
    ...(label !== undefined && { label }),
    verdict: 'error' as const,
    // Only errors of the kit's own kinds are known to hold no key.
    text: isKnown
      ? `The run could not begin: ${error.message} ${error.hint}`
      : 'The run ended with a fault of the kit.',
    exitCode: 2,
    complete: false,
  };
}

export type FailureNotification = ReturnType<typeof failureNotification>;

/** Parses an address for notifications. Throws UsageError without the address, which is often secret. */
export function notifyAddress(text: string): URL {
  if (!URL.canParse(text)) throw wrongAddress('takes an address, and this is not one');
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol) || isInClear(url))
    throw wrongAddress('takes an https address, or an http address on this machine');
  if (url.username !== '' || url.password !== '')
    throw wrongAddress('takes an address without user name and password');
  return url;
}

const wrongAddress = (what: string): UsageError =>
  badOption(
    `--notify ${what}.`,
    "Write it as --notify '${WEBHOOK_URL}', in single quotes: an https address, or http on this machine. Nothing was sent.",
  );

/** Time limit of one delivery, ms. */
const TIMEOUT_MS = 5_000;
/** Waits before retries, ms: at most half a minute in total. */
const BACKOFF_MS = [500, 1_000, 2_000] as const;

/** Posts a notification, with retries if they may help. Returns why it failed, without the address, or null. */
export async function deliver(
  url: URL,
  notification: Notification | FailureNotification,
): Promise<string | null> {
  const body = JSON.stringify(notification);
  for (let attempt = 0; ; attempt += 1) {
    const { problem, isFinal } = await post(url, body);
    if (problem === null) return null;
    const pause = BACKOFF_MS[attempt];
    if (pause === undefined || isFinal)
      return `${problem}, after ${attempt + 1} ${attempt === 0 ? 'try' : 'tries'}`;
    await sleep(pause);
  }
}

async function post(
  url: URL,
  body: string,
): Promise<{ readonly problem: string | null; readonly isFinal: boolean }> {
  try {
    const { status, body: answer } = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': 'petstore-conformance' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer?.cancel();
    if (isSuccess(status)) return { problem: null, isFinal: true };
    // A client error is final, except too early and too often (RFC 9110, 15.5.9; RFC 6585, 4).
    return {
      problem: `the receiver returned ${status}`,
      isFinal: status < 500 && status !== 408 && status !== 429,
    };
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return {
      problem: isLate ? `no response within ${duration(TIMEOUT_MS)}` : 'no connection',
      isFinal: false,
    };
  }
}
