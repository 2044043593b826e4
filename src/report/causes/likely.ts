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

/**
 * A mistake that explains findings, and the requirements that it explains; the first leads. A mistake of a
 * client has no name in the kit's proof: ''.
 */
export interface LikelyCause {
  readonly flaws: readonly Pick<KnownFlaw, 'name' | 'title'>[];
  readonly rows: readonly RequirementId[];
}

/**
 * Known mistakes with the same symptoms that the run does not contradict, and the requirements and questions
 * they explain.
 */
interface Candidate {
  readonly flaws: readonly KnownFlaw[];
  /** Symptoms, each a requirement and a question: see `symptomsOf`. */
  readonly explains: ReadonlySet<string>;
}

/**
 * Returns the mistakes behind findings. A mistake is named where all its symptoms were found, as far as
 * requested, no other mistake explains as much, and nothing else related is broken.
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
 *
 * @param open the requirements that failed, in the interface's order
 */
export function causesBehind(
  evidence: Evidence,
  open: readonly RequirementId[],
  flaws: readonly KnownFlaw[],
): readonly LikelyCause[] {
  const symptoms = Object.entries(evidence.shown).flatMap(([row, shown]) => symptomsOf(row, shown));
  const candidates = [...grouped(flaws, ({ shows }) => JSON.stringify(shows)).values()].flatMap(
    (alike) => candidateOf(alike, evidence) ?? [],
  );
  const { found, unexplained } = cover(new Set(symptoms), candidates);
  const openRows = new Set(unexplained.map(rowOf));
  const openSubjects = new Set(open.filter((row) => openRows.has(row)).flatMap(subjectsOf));
  // A symptom beside it that nothing explains may have the same cause, which is then another one.
  const isDoubtful = (row: string): boolean =>
    openRows.has(row) || subjectsOf(row).some((subject) => openSubjects.has(subject));
  const named = found.filter(
    ({ flaws: alike, explains }) => alike.length <= MOST_NAMED && ![...explains].map(rowOf).some(isDoubtful),
  );
  return sharedOut(named, open);
}

/**
 * Explains symptoms by as few mistakes as possible: a mistake that explains more leads, and the rest may be a
 * second mistake. Ends where two mistakes explain the same symptoms equally well.
 */
function cover(symptoms: ReadonlySet<string>, candidates: readonly Candidate[]) {
  const left = new Set(symptoms);
  const found: Candidate[] = [];
  for (let leader = leaderOf(candidates, left); leader; leader = leaderOf(candidates, left)) {
    found.push(leader);
    for (const symptom of leader.explains) left.delete(symptom);
  }
  return { found, unexplained: [...left] };
}

/**
 * Returns the mistake that explains the most of what is left; undefined where a rival explains as much of the
 * same.
 */
function leaderOf(candidates: readonly Candidate[], left: ReadonlySet<string>): Candidate | undefined {
  const rivals = candidates
    .map((candidate) => ({
      candidate,
      explained: [...candidate.explains].filter((symptom) => left.has(symptom)),
    }))
    .filter(({ explained }) => explained.length > 0)
    .toSorted((one, other) => other.explained.length - one.explained.length);
  const isBeaten = (one: (typeof rivals)[number]): boolean =>
    rivals.some(
      (rival) =>
        rival !== one &&
        rival.explained.length >= one.explained.length &&
        rival.explained.some((symptom) => one.candidate.explains.has(symptom)),
    );
  return rivals.find((rival) => !isBeaten(rival))?.candidate;
}

/** Gives each failed row the first mistake that explains it; the first row of a mistake leads. */
function sharedOut(named: readonly Candidate[], open: readonly RequirementId[]): readonly LikelyCause[] {
  const taken = new Set<RequirementId>();
  return open.flatMap((row) => {
    if (taken.has(row)) return [];
    const cause = named.find(({ explains }) => [...explains].some((symptom) => rowOf(symptom) === row));
    if (!cause) return [];
    const explained = new Set([...cause.explains].map(rowOf));
    const rows = open.filter((id) => explained.has(id) && !taken.has(id));
    for (const id of rows) taken.add(id);
    return [{ flaws: cause.flaws.map(({ name, title }) => ({ name, title })), rows }];
  });
}

/** Returns null where a run shows none of the symptoms, or contradicts them. */
function candidateOf(
  alike: readonly KnownFlaw[],
  { shown, passed, open, asked }: Evidence,
): Candidate | null {
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

const symptomsOf = (row: string, shown: Shown[string] = {}): readonly string[] =>
  Object.keys(shown).map((question) => `${row}|${question}`);

/** Returns a requirement's subjects, by its id: `list-matches-get` concerns listings and fetches. */
const subjectsOf = (row: string): readonly string[] => row.match(/list|get|creat|auth|rate/g) ?? [];

const rowOf = (symptom: string): string => symptom.split('|', 1)[0] ?? '';

/**
 * Returns a likely cause in a line, “A 404 has no rate headers (no-rate-headers-on-404)”, or several that
 * look alike.
 */
export const causeWords = ({ flaws }: LikelyCause): string =>
  flaws
    .map(({ name, title }) => `${title.replace(/\.$/, '')}${name === '' ? '' : ` (${name})`}`)
    .join('; or: ');

/** Returns a likely cause as a sentence, or several, without the names of the mistakes. */
export const causeTitle = ({ flaws }: LikelyCause): string => flaws.map(({ title }) => title).join(' or ');
