import { counted } from '../../base/kernel/format.js';
import { isLoopback } from '../../wire/targets/base-url.js';
import type { Results } from '../results/results.js';
import type { Outcome, Verdict } from '../../judge/verdict.js';

/**
 * Is true if the target of a run is one of its history, seen at another time: the same address, or a server
 * of one name on this machine, which gets another port each time it starts. Who compares two such runs by
 * hand means two servers.
 */
export const isOneEnvironment = (
  one: Pick<Results['target'], 'name' | 'baseUrl'>,
  other: Pick<Results['target'], 'name' | 'baseUrl'>,
): boolean =>
  one.baseUrl === other.baseUrl || (one.name === other.name && isHere(one.baseUrl) && isHere(other.baseUrl));

const isHere = (baseUrl: string): boolean => URL.canParse(baseUrl) && isLoopback(new URL(baseUrl));

/** Outcomes that two runs can compare. Observed and inconclusive are none. */
const JUDGED: ReadonlySet<Outcome> = new Set(['passed', 'warned', 'failed']);

/**
 * Judges whether two environments behave the same (part 9): every requirement judged in both runs must have
 * the same outcome. Inconclusive where both runs judged nothing in common, or where a run is incomplete and
 * no difference was seen. Returns the verdict with the line that shows it.
 */
export function judgeEnvironments(one: Results, other: Results): readonly [verdict: Verdict, text: string] {
  const others = new Map(other.requirements.map(({ id, outcome }) => [id, outcome]));
  const pairs = one.requirements.flatMap(({ id, outcome }) => {
    const twin = others.get(id);
    return twin && JUDGED.has(outcome) && JUDGED.has(twin) ? [[outcome, twin] as const] : [];
  });
  const differing = pairs.filter(([outcome, twin]) => outcome !== twin).length;
  if (differing > 0)
    return ['non-conformant', `failed: ${counted(differing, 'requirement')} had different outcomes`];
  if (pairs.length === 0) return open('no requirement was judged in both runs');
  if (!one.complete || !other.complete)
    return open('a run was cut short, so not everything could be compared');
  return ['conformant', 'passed: each requirement judged on both had the same outcome'];
}

const open = (why: string) => ['inconclusive', `could not be determined: ${why}`] as const;
