/** Why requests got no complete response, and how many. */
export interface CauseCount {
  readonly cause: string;
  readonly count: number;
}

/** Most different causes: a cause may quote the server, which can vary it. */
const MOST_CAUSES = 10;

const OTHERS = 'other causes';

/** Follows a cause that stands for several, which differ in numbers or in what they quote. */
const ALIKE = ' (and others like it)';

/** Numbers, such as the size of a body or the port of a connection, and texts of the server. */
const VARIABLE = /"[^"]*"|\d[\d,.]*/gu;

/** Counts causes. Those that differ only in numbers or quotations count as one, under the first. */
export function causeCounts() {
  const kinds = new Map<string, { first: string; isMixed: boolean; count: number }>();
  return {
    add(text: string, count = 1): void {
      const cause = text.endsWith(ALIKE) ? text.slice(0, -ALIKE.length) : text;
      const kind = cause.replaceAll(VARIABLE, '#');
      const known = kinds.get(kind);
      if (known === undefined && kinds.size >= MOST_CAUSES && kind !== OTHERS) return this.add(OTHERS, count);
      kinds.set(kind, {
        first: known?.first ?? cause,
        isMixed: known?.isMixed === true || cause !== text || (known !== undefined && known.first !== cause),
        count: (known?.count ?? 0) + count,
      });
    },
    all: (): readonly CauseCount[] =>
      [...kinds.values()].map(({ first, isMixed, count }) => ({
        cause: isMixed ? `${first}${ALIKE}` : first,
        count,
      })),
  };
}
