import { grouped, sum } from '../../base/kernel/format.js';
import { essence, placeUnderLoad } from '../../judge/findings/finding.js';
import { kindsBeyond } from '../../outcome/results/finding-kind.js';
import type { ResultFinding } from '../../outcome/results/results.js';
import type { FindingGroup, ShownFinding } from '../../outcome/words/findings.js';
import type { Exchange } from '../../wire/exchange/types.js';

/** Merges equal findings, in order of the first of each. A passive check finds the same in every response. */
export const distinctFindings = (findings: readonly ResultFinding[]): readonly ShownFinding[] =>
  [
    ...grouped(findings, ({ message, expected, actual }) =>
      JSON.stringify([message, expected, receivedClass(actual)]),
    ).values(),
  ].map((alike) => {
    const [first] = alike;
    const exchanges = [...new Set(alike.flatMap((finding) => finding.exchanges))];
    const varied = alike.some(({ actual }) => actual !== first.actual);
    return { ...first, exchanges, times: alike.length, varied };
  });

/** Kinds of a row's findings that are known already; absent where there is nothing to compare with. */
export interface KnownKinds {
  /** Those that the baseline accepts. */
  readonly accepted?: readonly string[] | undefined;
  /** Those of the run that this one is compared with. */
  readonly earlier?: readonly string[] | undefined;
}

export const withNews = (
  findings: readonly ResultFinding[],
  { accepted, earlier }: KnownKinds,
): readonly ResultFinding[] =>
  findings.map((finding) => {
    const { kind } = finding;
    const isBeyond = (known: readonly string[] | undefined): boolean =>
      kind !== undefined && known !== undefined && kindsBeyond([kind], known).length > 0;
    const news = isBeyond(accepted) ? 'not-accepted' : isBeyond(earlier) ? 'new' : undefined;
    return news === undefined ? finding : { ...finding, news };
  });

/** Length at which a value is a body rather than a figure. */
const LONGEST_FIGURE = 120;

/**
 * Returns what received values of one fault have in common: a status code stays, and other figures, quoted
 * texts, dates and units do not count. Of a body only its form counts.
 */
function receivedClass(actual = ''): string {
  const text = actual.trim();
  if (/^\d{3}$/.test(text)) return text;
  if (/^[[{]/.test(text)) return text.charAt(0);
  if (text.length > LONGEST_FIGURE) return 'text';
  // A fraction is another mistake than a whole number.
  return essence({ message: text.replace(/\b\d+\.\d+\b/g, '#.#') })
    .replace(/"[^"]*"/g, '""')
    .replace(/# (?:ms|s|min|h)\b/g, '#')
    .replace(/(# \w+?)s\b/g, '$1')
    .replace(/\b[A-Z][a-z]{2}\b/g, 'Aaa')
    .replace(/#(?:(?:[, ]| and )+#)*/g, '#');
}

const rank = ({ first: { news } }: FindingGroup): number =>
  news === 'not-accepted' ? 0 : news === 'new' ? 1 : 2;

/**
 * Groups findings by what was expected and received; what is new comes first, otherwise the order stays.
 * Pure.
 */
export function findingGroups(findings: readonly ShownFinding[]): readonly FindingGroup[] {
  const groups = grouped(findings, ({ message, plan, expected = '', actual, news = '' }) =>
    JSON.stringify([
      news,
      essence({ message, ...(plan && { plan }) }),
      essence({ message: expected }),
      receivedClass(actual),
    ]),
  );
  return [...groups.values()]
    .map(([first, ...others]) => ({ first, others }))
    .toSorted((one, other) => rank(one) - rank(other));
}

/** Returns the first finding of each group, then all others: whatever is shown of them shows most kinds. */
export const inTurn = (groups: readonly FindingGroup[]): readonly ShownFinding[] => [
  ...groups.map(({ first }) => first),
  ...groups.flatMap(({ others }) => others),
];

/**
 * Merges findings of one fault: those that differ only in the quoted request, the plan, the place under load
 * or figures, and of which the same was received. The first stands for all and has their exchanges. Requests
 * that should have been refused stay separate: it matters which were not.
 *
 * @param row its id and its distinct findings
 * @param exchanges those that findings may name, by id
 */
export function alikeFindings(
  { id, findings }: { readonly id: string; readonly findings: readonly ShownFinding[] },
  exchanges: ReadonlyMap<string, Pick<Exchange, 'intent'>>,
): readonly ShownFinding[] {
  const isCase = (finding: ResultFinding): boolean =>
    finding.story !== undefined ||
    finding.exchanges.some((name) => {
      const intent = exchanges.get(name)?.intent;
      return (
        intent?.kind === 'expects' &&
        intent.chargedTo === id &&
        intent.statuses.every((status) => status >= 400)
      );
    });
  // Two faults may have one message, such as two malformed headers: what was expected and received distinguishes them
  // apart. Of the same fault on several plans only the figures and their units differ.
  const kindOf = (finding: ShownFinding): string => {
    const { message, plan, expected = '', actual, news = '' } = finding;
    if (isCase(finding)) return JSON.stringify([message, receivedClass(actual), news]);
    const wanted = plan === undefined ? essence({ message: expected }) : receivedClass(expected);
    return JSON.stringify([essence(finding), wanted, receivedClass(actual), news]);
  };
  return [...grouped(findings, kindOf).values()].map((alike) => {
    const [first] = alike;
    const all = [...new Set(alike.flatMap((finding) => finding.exchanges))];
    const likewise = [...onOtherPlans(first, alike), ...underLoadToo(first, alike)];
    const counted = likewise.length > 0 ? alike.filter((one) => placeOf(one) === placeOf(first)) : alike;
    return {
      ...first,
      exchanges: all,
      times: sum(counted, ({ times }) => times),
      ...(likewise.length > 0 && { likewise }),
    };
  });
}

function onOtherPlans(
  first: ResultFinding,
  alike: readonly ResultFinding[],
): NonNullable<ShownFinding['likewise']> {
  return [...grouped(alike, ({ plan }) => plan)].flatMap(([plan, [one]]) =>
    plan === undefined || plan === first.plan ? [] : [{ where: plan, actual: one.actual }],
  );
}

/** Names in one entry where under load the fault was seen too. */
function underLoadToo(
  first: ResultFinding,
  alike: readonly ResultFinding[],
): NonNullable<ShownFinding['likewise']> {
  const places = new Set(alike.flatMap(({ message }) => placeUnderLoad(message) ?? []));
  places.delete(placeUnderLoad(first.message) ?? '');
  return places.size === 0 ? [] : [{ where: `under load (${[...places].join(', ')})`, actual: first.actual }];
}

/** Where a finding was made, apart from its requests: findings of one place are counted together. */
const placeOf = ({ plan, message }: ResultFinding): string | null => plan ?? placeUnderLoad(message);
