import type { Finding } from '../judge/findings/finding.js';
import { loadLedger } from '../base/interface/ledger.js';
import type { PlanName, RequirementId } from '../base/interface/types.js';
import { memoryJournal } from '../log/journal.js';
import type { LogRecord } from '../log/record.js';
import { judging } from '../judge/checks/judging.js';
import { secret } from '../wire/targets/secret.js';
import type { Target } from '../wire/targets/target.js';
import { runLoad, type LoadOptions } from '../drive/profiles/run-load.js';

const tools = judging();

/** Length of these servers' minute, s: enough for a slow machine that judges several in parallel. */
export const MINUTE_S = 3;

/** Returns a target on this machine with windows of a few seconds. `keys` in clear, by plan. */
export const targetAt = (
  baseUrl: string,
  keys: Partial<Record<PlanName, string>>,
  more: Partial<Target> = {},
): Target => ({
  name: 'test',
  baseUrl,
  keys: Object.fromEntries(Object.entries(keys).map(([plan, key]) => [plan, secret(key)])),
  suiteKey: 'free',
  plans: {
    free: { perMinute: 60, perDay: 1000 },
    pro: { perMinute: 300, perDay: 10_000 },
    business: { perMinute: 1000, perDay: 100_000 },
    enterprise: { perMinute: 2400, perDay: 500_000 },
  },
  windows: { minute: MINUTE_S, day: 86_400 },
  production: false,
  writes: true,
  exclusive: true,
  ban: { maxSeconds: 20, maxRequests: 60, perSecond: 100 },
  // Longer than any machine stands still.
  http: { timeoutMs: 30_000, maxBodyBytes: 100_000 },
  ...more,
});

/** Runs load and gathers its output; calls `onRecord` for each record as it is written. */
export async function ran(
  target: Target,
  more: Partial<LoadOptions> = {},
  onRecord?: (record: LogRecord) => void,
) {
  const journal = memoryJournal(onRecord);
  await runLoad({
    target,
    rows: loadLedger().requirements,
    selected: null,
    plans: null,
    profiles: null,
    includes: [],
    allowLoadOnProduction: false,
    judging: tools,
    journal,
    run: 'cafe0123',
    removal: 'before',
    writes: true,
    known: [],
    signal: new AbortController().signal,
    ...more,
  });
  const { records } = journal;
  return {
    records,
    findings: records.flatMap((record) => (record.type === 'finding' ? [record.finding] : [])),
    summaries: records.flatMap((record) => (record.type === 'profile' ? [record.summary] : [])),
  };
}

/** Returns the ids of findings of one kind, each once, in order. */
export const idsOf = (findings: readonly Finding[], kind: Finding['kind']): readonly RequirementId[] =>
  [
    ...new Set(findings.filter((finding) => finding.kind === kind).map(({ requirement }) => requirement)),
  ].toSorted();

/**
 * Returns whether a run says itself that this machine or the responses were too slow for its measurements.
 * Then some rows are open, and none is red.
 */
export const wasBusy = (findings: readonly Finding[]): boolean =>
  findings.some(
    (finding) =>
      finding.kind === 'inconclusive' &&
      (finding.reason.code === 'machine-busy' || finding.reason.code === 'slow-responses'),
  );

/** Returns the rows of the ledger that load profiles judge. */
export const loadRows = (): readonly RequirementId[] =>
  loadLedger()
    .requirements.filter(({ judgedBy }) => judgedBy.kind === 'load')
    .map(({ id }) => id);
