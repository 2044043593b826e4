import { planNames, type KeyName, type PlanName } from '../../base/interface/names.js';
import { capital, listed } from '../../base/kernel/format.js';
import type { ReasonCode } from '../../judge/findings/finding.js';
import { OTHER_USE } from '../../judge/limits/other-use-text.js';
import { hasTrait } from '../../judge/limits/row-traits.js';
import type { RunLog } from '../../log/run-log.js';
import { isWithKey, rateHeader } from '../../wire/exchange/headers.js';
import type { Candidate } from './run-cause.js';

/* Causes of a run's open rows that lie in its keys: refused, used by something else, or swapped. */

/** A plan's key that got nothing but 401 or 403. The suites' own key would have prevented the start. */
export function refusedKey({ header, exchanges, answered }: RunLog): Candidate | null {
  const refused = [...answered.statuses].flatMap(([key, byStatus]) => {
    const statuses = [...byStatus.keys()].filter((status) => status !== 0);
    const inSuites = exchanges.some((exchange) => isWithKey(exchange, key));
    return !inSuites && statuses.length === 1 && REFUSALS.has(statuses[0] ?? 0)
      ? [{ key, status: statuses[0] }]
      : [];
  });
  const [first] = refused;
  if (first === undefined) return null;
  const names = refused.map(({ key, status }) =>
    `${nameOf(key, header)} ${refused.length > 1 ? `(${status})` : ''}`.trim(),
  );
  return {
    code: 'key-refused',
    text:
      refused.length === 1 ? `${names[0]} was refused (${first.status})` : `${listed(names)} were refused`,
    hint: `${hintFor(refused, header)}, and run again.`,
    plans: refused.map(({ key }) => key),
  };
}

/** “Set STG_PRO to a key that the server accepts”, or what to correct where no variable holds it. */
function hintFor(refused: readonly { readonly key: KeyName }[], { target: { keyPlaces } }: Header): string {
  const variables = refused.flatMap(({ key }) => {
    const place = keyPlaces?.[key];
    return place && 'variable' in place && place.variable ? [place.variable] : [];
  });
  if (variables.length < refused.length) return `Correct ${refused.length === 1 ? 'the key' : 'the keys'}`;
  const keys = variables.length === 1 ? 'a key' : 'keys';
  return `Set ${listed(variables)} to ${keys} that the server accepts`;
}

const REFUSALS: ReadonlySet<number> = new Set([401, 403]);

type Header = RunLog['header'];

/** Names a key by the variable or file that holds it, otherwise by its plan. */
function nameOf(key: KeyName, { target: { keyPlaces } }: Header): string {
  const place = keyPlaces?.[key];
  if (place && 'variable' in place && place.variable) return place.variable;
  return place && 'file' in place && place.file ? `the key in ${place.file}` : `the ${capital(key)} key`;
}

/** A key that something else used during the load, by a finding that says so. */
export function sharedKey({ findings }: RunLog): Candidate | null {
  const texts = findings.flatMap((finding) =>
    finding.kind === 'inconclusive' && finding.reason.code === 'rate-limited' ? [finding.reason.text] : [],
  );
  for (const plan of planNames) {
    const text = texts.find((each) => each.startsWith(`${capital(OTHER_USE)} the ${capital(plan)} key`));
    if (text === undefined) continue;
    return {
      code: 'rate-limited',
      text: text.replace(capital(OTHER_USE), OTHER_USE).replace(/\.$/, ''),
      hint: 'Run again with a key that nobody else uses.',
      plans: [plan],
      reasons: new Set<ReasonCode>(['rate-limited']),
    };
  }
  return null;
}

/** Keys that have the limits of another plan, while the keys of the run differ in their limits. */
export function swappedKeys({ header, exchanges, series }: RunLog): Candidate | null {
  const { figures } = header.target;
  const shown = new Map<PlanName, number>();
  for (const plan of header.scope.plans) {
    const limits = [
      ...series.flatMap((one) => (one.plan === plan ? one.moments.map(({ limit }) => limit) : [])),
      ...exchanges.flatMap((one) =>
        isWithKey(one, plan) ? [Number(rateHeader(one, 'limit') ?? Number.NaN)] : [],
      ),
    ].filter((limit): limit is number => limit !== null && !Number.isNaN(limit));
    const [only, ...others] = new Set(limits);
    if (only !== undefined && others.length === 0) shown.set(plan, only);
  }
  // One limit for every key is the server's mistake.
  if (new Set(shown.values()).size < 2) return null;
  const wrong = [...shown].flatMap(([plan, limit]) => {
    const own = figures[plan];
    if (own === undefined || limit === own.perMinute || limit === own.perDay) return [];
    const other = planNames.find((name) => name !== plan && figures[name]?.perMinute === limit);
    return other === undefined ? [] : [{ plan, other }];
  });
  const isReturned = (one: (typeof wrong)[number]): boolean =>
    wrong.some(({ plan, other }) => plan === one.other && other === one.plan);
  const first = wrong.find(isReturned) ?? wrong[0];
  if (first === undefined) return null;
  // A third key with wrong limits is no swap of two.
  const isMutual = wrong.every(isReturned);
  const back = isReturned(first)
    ? `, and the ${capital(first.other)} key those of ${capital(first.plan)}`
    : '';
  return {
    // A single direction is a plan that the server serves wrongly just as well.
    ...(isMutual && { excuses: (id) => hasTrait(id, 'figures') }),
    code: 'keys-swapped',
    text: `the ${capital(first.plan)} key has the limits of ${capital(first.other)}${back}: are the keys of two plans swapped?`,
    hint: 'Check which plan each key belongs to, and run again.',
    plans: [...new Set(wrong.flatMap(({ plan, other }) => [plan, other]))],
  };
}
