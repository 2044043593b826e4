import { startAltered } from '../index.js';
import { readTargetFile } from '../../wire/targets/load-target.js';
import { secret } from '../../wire/targets/secret.js';
import type { Target } from '../../wire/targets/target.js';
import type { Results } from '../../outcome/results/results.js';
import { USUAL_ANIMALS } from '../../run/explore-request.js';
import { judgeByExploring, judgeUnderLoad } from './without-suites.js';
import { virtualReference } from './virtual-reference.js';
import { virtualTime } from './virtual-time.js';
import { isOnlyUnestablished, rowOf, type MatrixRow } from './matrix.js';
import { judgeWithoutPlaywright } from './judge-by-suites.js';
import type { Setting, Trial } from './subjects.js';
import { planNames } from '../../base/interface/names.js';
import { once } from '../../base/kernel/config-file.js';

/** Most doublings: beyond four times the usual window, neither machine nor headers are the reason. */
const MOST_DOUBLINGS = 2;

/**
 * Runs one subject. If nothing is wrong, but something inconclusive, windows of a few seconds may be too
 * short for this machine or for headers in whole seconds. Then they are doubled. A wrong result is never
 * repeated.
 */
export async function runTrial(trial: Trial, doublings = 0): Promise<MatrixRow> {
  const since = Date.now();
  const { subject, minuteSeconds } = trial;
  const results = await judgeTrial(trial);
  const row = rowOf(subject, results, Date.now() - since);
  const mayBeTooShort = trial.needs === 'load' && isOnlyUnestablished(row, results);
  if (!mayBeTooShort || doublings === MOST_DOUBLINGS) return row;
  return runTrial({ ...trial, minuteSeconds: 2 * minuteSeconds }, doublings + 1);
}

export async function judgeTrial(trial: Setting): Promise<Results> {
  if (trial.needs === 'load' && trial.isReal !== true) return judgeInVirtualTime(trial);
  await using reference = await startAltered({ minuteSeconds: trial.minuteSeconds, ...trial.start });
  return await judge(trial, targetOf(reference, trial));
}

/**
 * Start of virtual time, Unix ms: fixed, for the same edges of seconds, and not at midnight UTC, where a day
 * ends.
 */
export const VIRTUAL_START = Date.UTC(2026, 0, 1, 9);

/** Puts a trial's server under load in virtual time: windows pass as fast as requests are judged. */
function judgeInVirtualTime(trial: Setting): Promise<Results> {
  const { plans, includes, minuteSeconds, start, latencyMs } = trial;
  const time = virtualTime(VIRTUAL_START);
  const { carrier, ...server } = virtualReference({ minuteSeconds, ...start }, time, latencyMs);
  const load = { plans, includes, simulated: { time, carrier } };
  return time.passing(() => judgeUnderLoad(targetOf(server, trial), load));
}

function judge(
  { needs, asOf, plans, includes, seed = USUAL_SEED }: Setting,
  target: Target,
): Promise<Results> {
  if (needs === 'explore') return judgeByExploring(target, { ...EXPLORED, seed }, asOf);
  return needs === 'suites'
    ? judgeWithoutPlaywright(target, asOf)
    : judgeUnderLoad(target, { plans, includes });
}

const EXPLORED = { requests: 400, animals: USUAL_ANIMALS } as const;
const USUAL_SEED = 1;

export function targetOf(
  { baseUrl, keys }: { readonly baseUrl: string; readonly keys: Readonly<Record<string, string>> },
  {
    minuteSeconds,
    enterprise,
    suiteKey = 'business',
  }: Pick<Setting, 'minuteSeconds' | 'enterprise' | 'suiteKey'>,
): Target {
  const stand = embedded();
  return {
    ...stand,
    name: 'selftest',
    baseUrl,
    keys: Object.fromEntries(planNames.map((plan) => [plan, secret(keys[plan] ?? '')])),
    sacrificial: { key: secret(keys['sacrificial'] ?? ''), plan: 'free' },
    suiteKey,
    plans: { ...stand.plans, ...(enterprise && { enterprise }) },
    windows: { minute: minuteSeconds, day: 86_400 },
    ban: { maxSeconds: 3 * minuteSeconds + 2, maxRequests: 60, perSecond: 40 },
  };
}

/** The embedded server's target file, read once for hundreds of servers. */
const embedded = once((): Target => readTargetFile('embedded', Object.fromEntries(STAND_INS)));

const STAND_INS: readonly (readonly [string, string])[] = [
  ['PETSTORE_EMBEDDED_URL', 'http://127.0.0.1/v1'],
  ...['FREE', 'PRO', 'BUSINESS', 'ENTERPRISE', 'SACRIFICIAL'].map(
    (name) => [`PETSTORE_EMBEDDED_${name}_KEY`, `stand-in-${name}`] as const,
  ),
];
