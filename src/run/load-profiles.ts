import { loadLedger } from '../base/interface/ledger.js';
import { QUICK_PROFILES } from '../drive/limits/select.js';
import { planLoad, type LoadPlan, type LoadRequest } from '../drive/profiles/plan-load.js';
import { runLoad, type LoadOptions } from '../drive/profiles/run-load.js';
import { judging } from '../judge/checks/judging.js';
import type { SuitesCost } from '../report/examination.js';
import type { RunRequest } from './request.js';

export interface ProfilesOptions extends Pick<
  LoadOptions,
  'removal' | 'signal' | 'journal' | 'known' | 'singly' | 'learnt' | 'simulated'
> {
  readonly request: RunRequest;
}

export function runProfiles({ request, ...rest }: ProfilesOptions): Promise<void> {
  return runLoad({
    ...loadRequestOf(request),
    ...rest,
    judging: judging(),
    run: request.run,
    writes: request.writes,
  });
}

/** @param latencyMs of one response, as measured */
export const planOfLoad = (request: RunRequest, latencyMs?: number): LoadPlan =>
  planLoad({ ...loadRequestOf(request), ...(latencyMs !== undefined && { latencyMs }) });

/** Returns the silence before the first burst if the suites used the same key, s: the questions begin with it. */
export function secondsAfterSuites(
  { target, selection }: RunRequest,
  load: LoadPlan,
  suites: SuitesCost | null,
): number {
  // A quick run begins with load.
  if (selection?.quick) return 0;
  const isUsed = suites !== null && suites.withKey > 0;
  return isUsed && load.profiles.some(({ key }) => key === target.suiteKey) ? target.windows.minute : 0;
}

const loadRequestOf = ({
  selection,
  retries,
  allowLoadOnProduction = false,
  ...request
}: RunRequest): LoadRequest => ({
  target: request.target,
  rows: loadLedger().requirements,
  selected: request.selected,
  plans: selection?.plans ?? null,
  profiles: selection?.quick
    ? QUICK_PROFILES
    : (selection?.profiles?.filter((profile) => profile !== 'explore') ?? null),

  retried: retries?.rows.flatMap(({ profiles }) => profiles) ?? [],
  includes: request.includes,
  allowLoadOnProduction,
});
