import { grouped } from '../../base/kernel/format.js';
import { essence, placeUnderLoad } from '../../judge/findings/finding.js';
import type { ResultFinding } from '../../outcome/results/results.js';
import type { ShownFinding } from '../../outcome/words/findings.js';
import type { Exchange } from '../../wire/exchange/types.js';

/** Merges equal findings, in order of the first of each. A passive check finds the same in every response. */
export const distinctFindings = (findings: readonly ResultFinding[]): readonly ShownFinding[] =>
  [...grouped(findings, ({ message, expected }) => JSON.stringify([message, expected])).values()].map(
    (alike) => {
      const [first] = alike;
      const exchanges = [...new Set(alike.flatMap((finding) => finding.exchanges))];
      const varied = alike.some(({ actual }) => actual !== first.actual);
      return { ...first, exchanges, times: alike.length, varied };
    },
  );

/**
 * Merges findings of one fault: those that differ only in the quoted request, the plan, the place under load
 * or numbers. The first stands for all and has their exchanges. Requests that should have been refused stay
 * separate: it matters which were not.
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
  // Two faults may have one message, such as two malformed headers: what was expected tells them apart. Of the same fault on
  // several plans only the figures and their units differ.
  const kindOf = (finding: ShownFinding): string => {
    if (isCase(finding)) return finding.message;
    const expected = finding.plan === undefined ? (finding.expected ?? '') : '';
    return `${essence(finding)} ${essence({ message: expected })}`;
  };
  return [...grouped(findings, kindOf).values()].map((alike) => {
    const [first] = alike;
    const all = [...new Set(alike.flatMap((finding) => finding.exchanges))];
    const likewise = [...onOtherPlans(first, alike), ...underLoadToo(first, alike)];
    const counted = likewise.length > 0 ? alike.filter((one) => placeOf(one) === placeOf(first)) : alike;
    return {
      ...first,
      exchanges: all,
      times: counted.reduce((sum, { times }) => sum + times, 0),
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
