import type { RequirementId } from '../../base/interface/types.js';
import type { KeyName } from '../../base/interface/names.js';
import type { ProfileSummary } from '../../log/record.js';
import type { Finding, Measured } from '../../judge/findings/finding.js';
import { START } from '../example-header.test.support.js';
import { exampleResults } from '../example-run.test.support.js';
import { likelyCauses } from './likely.js';

export const violation = (
  requirement: RequirementId,
  measured?: Measured,
  actual?: string,
  plan?: KeyName,
): Finding => ({
  kind: 'violated',
  requirement,
  message: 'it is not as it should be',
  ...(actual !== undefined && { actual }),
  ...(measured && { measured }),
  ...(plan && { plan }),
  exchanges: ['x9'],
});

/** What load profiles measured: the profile, its plan, requests served and refused, and the allowance. */
type Measurement = readonly [
  profile: 'burst' | 'concurrent',
  plan: KeyName,
  served: number,
  refused: number,
  allowance: number,
];

export function limiterCauses(findings: readonly Finding[], measurements: readonly Measurement[]) {
  const profiles = measurements.map(([profile, plan, served, refused, allowance]): ProfileSummary => ({
    profile,
    plan,
    startedAt: START,
    finishedAt: START + 1_000,
    sent: served + refused,
    served,
    refused,
    allowance,
    latency: null,
    sentence: 'it was so',
    marks: [],
  }));
  return likelyCauses(exampleResults({ findings, profiles }), []);
}

export const ANEW = [violation('rate-all-operations', { what: ['exempt', 'anew', 'getPet'] })];

export const TOGETHER = violation('rate-concurrent', { most: 2, got: 5, what: ['left'] });
