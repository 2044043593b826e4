import type { RequirementId } from '../../base/interface/types.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { Results } from '../../outcome/results/results.js';
import { cacheBefore } from './cache.js';
import { evidenceIn, SOMETIMES, type Evidence, type Shown } from './evidence.js';
import { grouped } from '../../base/kernel/format.js';
import { naturalCauses, sharedAllowance } from './natural.js';

/** A described mistake with its known symptoms, from the kit's own proof. */
export interface KnownFlaw {
  readonly name: string;
  readonly title: string;
  /** Requirements that it violates wherever they are judged. */
  readonly turns: readonly string[];
  /** Absent in older proofs: then no cause is likely. */
  readonly shows?: Shown;
}

/** Most mistakes that a cause names: more with the same symptoms do not help. */
const MOST_NAMED = 2;

/** A mistake that explains findings, and the requirements that it explains; the first leads. */
export interface LikelyCause {
  readonly flaws: readonly Pick<KnownFlaw, 'name' | 'title'>[];
  readonly rows: readonly RequirementId[];
}

/** Known mistakes with the same symptoms that the run does not contradict, and the requirements and questions they explain. */
interface Candidate {
  readonly flaws: readonly KnownFlaw[];
  readonly explains: ReadonlySet<string>;
}

/**
 * Returns the mistakes behind findings. A mistake is named where all its symptoms were found, as far as requested, no other
 * mistake explains as much, and nothing else related is broken.
 */
export function likelyCauses(
  results: Pick<Results, 'requirements' | 'exchanges'>,
  all: readonly Exchange[],
  flaws: readonly KnownFlaw[],
): readonly LikelyCause[] {
  // Repeats from a cache are no mistake of the service.
  const cache = cacheBefore({ requirements: results.requirements, exchanges: all });
  if (cache !== null) return [cache];
  const open = results.requirements.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
  const shared = sharedAllowance(results);
  const ofShared = new Set(shared?.rows);
  const behind = causesBehind(evidenceIn(results, all), open, flaws).filter(
    ({ rows }) => !rows.some((row) => ofShared.has(row)),
  );
  const found = shared === null ? behind : [shared, ...behind];
  // Known mistakes fit exactly. The commonest are named also where the run shows several at once.
  return [...found, ...naturalCauses(results, new Set(found.flatMap(({ rows }) => rows)))];
}

/**
 * Returns the mistakes behind the evidence of a run.
 * @param open the requirements that failed, in the interface's order
 */
export function causesBehind(
  evidence: Evidence,
  open: readonly RequirementId[],
  flaws: readonly KnownFlaw[],
): readonly LikelyCause[] {
  const left = new Set(Object.entries(evidence.shown).flatMap(([row, shown]) => itemsOf(row, shown)));
  const candidates = [...grouped(flaws, ({ shows }) => JSON.stringify(shows)).values()].flatMap(
    (alike) => candidateOf(alike, evidence) ?? [],
  );
  const found: Candidate[] = [];
  // A mistake that explains more leads. The rest may be a second mistake.
  for (;;) {
    const rivals = candidates
      .map((candidate) => ({ candidate, items: [...candidate.explains].filter((item) => left.has(item)) }))
      .filter(({ items }) => items.length > 0)
      .toSorted((one, other) => other.items.length - one.items.length);
    const leader = rivals.find(({ candidate, items }) =>
      rivals.every(
        (rival) =>
          rival.candidate === candidate ||
          rival.items.length < items.length ||
          !rival.items.some((item) => candidate.explains.has(item)),
      ),
    );
    if (!leader) break;
    found.push(leader.candidate);
    for (const item of leader.items) left.delete(item);
  }
  const unexplained = [...new Set([...left].map(rowOf))];
  const related = new Set(open.filter((row) => unexplained.includes(row)).flatMap(subjectsOf));
  const named = found.filter(
    ({ flaws: alike, explains }) =>
      alike.length <= MOST_NAMED &&
      ![...explains]
        .map(rowOf)
        .some((row) => unexplained.includes(row) || subjectsOf(row).some((one) => related.has(one))),
  );
  const spokenFor = new Set<RequirementId>();
  return open.flatMap((row) => {
    const cause = spokenFor.has(row) ? undefined : named.find(({ explains }) => [...explains].map(rowOf).includes(row));
    if (!cause) return [];
    const of = new Set([...cause.explains].map(rowOf));
    const rows = open.filter((id) => of.has(id) && !spokenFor.has(id));
    rows.forEach((id) => spokenFor.add(id));
    return [{ flaws: cause.flaws.map(({ name, title }) => ({ name, title })), rows }];
  });
}

/** Returns null where a run shows none of the symptoms, or contradicts them. */
function candidateOf(alike: readonly KnownFlaw[], { shown, passed, open, asked }: Evidence): Candidate | null {
  const shows = Object.entries(alike[0]?.shows ?? {});
  // A row outside `turns` fails in some runs of this mistake only, so a pass there does not rule it out.
  if (alike[0]?.turns.some((row) => passed.has(row) || open.has(row))) return null;
  const explains = new Set<string>();
  let missed = 0;
  for (const [row, known] of shows) {
    const found = shown[row];
    if (!found) continue;
    for (const [marked, facts] of Object.entries(known)) {
      const question = marked.replace(SOMETIMES, '');
      const received = found[question];
      if (received && !facts.every((fact) => received.includes(fact))) return null;
      // A good response to the same question contradicts this mistake.
      if (!received && asked.has(question)) {
        if (marked === question) return null;
        missed += 1;
      }
      if (received && facts.length > 0) explains.add(`${row}|${question}`);
    }
  }
  return explains.size === 0 || missed > 2 * explains.size ? null : { flaws: alike, explains };
}

const itemsOf = (row: string, shown: Shown[string] = {}): readonly string[] =>
  Object.keys(shown).map((question) => `${row}|${question}`);

/** Returns a requirement's subjects, by its id: `list-matches-get` concerns listings and fetches. */
const subjectsOf = (row: string): readonly string[] => row.match(/list|get|creat|auth|rate/g) ?? [];

const rowOf = (item: string): string => item.split('|', 1)[0] ?? '';

/** Returns a likely cause in a line, “A 404 has no rate headers (no-rate-headers-on-404)”, or several that look alike. */
export const causeWords = ({ flaws }: LikelyCause): string =>
  flaws.map(({ name, title }) => `${title.replace(/\.$/, '')} (${name})`).join('; or: ');

/** Returns a likely cause as a sentence, or several, without the names of the mistakes. */
export const causeTitle = ({ flaws }: LikelyCause): string => flaws.map(({ title }) => title).join(' or ');
