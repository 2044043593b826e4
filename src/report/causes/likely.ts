import type { Results } from '../../verdict/results.js';
import { grouped } from '../../format/grouped.js';
import { isInWords, symptomsOf, type Symptom } from './symptoms.js';

/** A described mistake and what it was seen to show; the kit's own proof holds them. */
export interface KnownFlaw {
  readonly name: string;
  readonly title: string;
  /** Absent in a proof that was made before symptoms were kept: nothing is likely then. */
  readonly symptoms?: readonly Symptom[];
}

/** A mistake that explains what was found, and the requirements that it explains; the first is the one that leads. */
export interface LikelyCause {
  readonly flaws: readonly Pick<KnownFlaw, 'name' | 'title'>[];
  readonly rows: readonly string[];
}

/** A mistake that is shown has at least this share in common with what was found. */
const LEAST_FIT = 0.5;
/** Mistakes that fit nearly as well as the best cannot be told from it. */
const NEARLY = 0.95;
/** Where more than these cannot be told apart, none is likely. */
const MOST_NAMED = 3;
/** How much of all that was found a mistake explains weighs so much, beside how well it fits where it explains. */
const REACH = 0.3;

interface Ranked {
  readonly flaw: KnownFlaw;
  readonly rows: readonly string[];
  readonly fit: number;
  readonly score: number;
}

/** The known mistakes that show something of what a run found at a requirement, the best first. */
export function rankedCauses(
  found: Iterable<Symptom>,
  flaws: readonly KnownFlaw[],
): (row: string) => readonly Ranked[] {
  const known = flaws.filter(({ symptoms = [] }) => symptoms.length > 0);
  const seen = grouped(new Set(found), rowOf);
  const weigh = weights(known);
  const all = sum([...seen.values()].flat().map(weigh));
  const ranked = known
    .flatMap((flaw): readonly Ranked[] => {
      const own = grouped(flaw.symptoms ?? [], rowOf);
      // Rows that are broken in other words are broken in another way, whatever else they have in common.
      const rows = [...own.keys()].filter((id) =>
        own.get(id)?.some((symptom) => isInWords(symptom) && seen.get(id)?.includes(symptom)),
      );
      if (rows.length === 0) return [];
      const shown = new Set(rows.flatMap((id) => seen.get(id) ?? []));
      const shared = sum((flaw.symptoms ?? []).filter((symptom) => shown.has(symptom)).map(weigh));
      const either = sum([...new Set([...(flaw.symptoms ?? []), ...shown])].map(weigh));
      const fit = shared / either;
      return [{ flaw, rows, fit, score: (1 - REACH) * fit + (REACH * shared) / all }];
    })
    .toSorted((one, other) => other.score - one.score);
  return (row) => ranked.filter(({ rows }) => rows.includes(row));
}

/**
 * The mistakes that what was found looks like, each requirement with at most one answer: known mistakes whose symptoms fit
 * better than those of all others, named where at most three cannot be told apart. Of a run in which nothing is broken
 * nothing is said.
 */
export function likelyCauses(
  results: Pick<Results, 'requirements' | 'exchanges'>,
  flaws: readonly KnownFlaw[],
): readonly LikelyCause[] {
  const open = results.requirements.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
  return causesBehind(symptomsOf(results), open, flaws);
}

/**
 * The same, of the symptoms of a run.
 * @param open the requirements that failed, in the interface's order
 */
export function causesBehind(
  symptoms: readonly Symptom[],
  open: readonly string[],
  flaws: readonly KnownFlaw[],
): readonly LikelyCause[] {
  const ranked = rankedCauses(symptoms, flaws);
  const spokenFor = new Set<string>();
  return open.flatMap((row) => {
    if (spokenFor.has(row)) return [];
    const fitting = ranked(row).filter(({ fit }) => fit >= LEAST_FIT);
    const [best] = fitting;
    if (!best) return [];
    const alike = fitting.filter(({ score }) => score >= NEARLY * best.score);
    if (alike.length > MOST_NAMED) return [];
    const rows = open.filter((id) => best.rows.includes(id) && !spokenFor.has(id));
    rows.forEach((id) => spokenFor.add(id));
    return [{ flaws: alike.map(({ flaw: { name, title } }) => ({ name, title })), rows }];
  });
}

/** A symptom begins with the requirement that it is charged to. */
const rowOf = (symptom: Symptom): string => symptom.split('|', 1)[0] ?? '';

/** What few mistakes show tells more than what many do (inverse document frequency). */
function weights(flaws: readonly KnownFlaw[]): (symptom: Symptom) => number {
  const shownBy = new Map<Symptom, number>();
  for (const { symptoms = [] } of flaws)
    for (const symptom of symptoms) shownBy.set(symptom, (shownBy.get(symptom) ?? 0) + 1);
  return (symptom) => Math.log((flaws.length + 1) / ((shownBy.get(symptom) ?? 0) + 0.5)) + 0.2;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
