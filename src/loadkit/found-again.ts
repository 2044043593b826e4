import { sum } from '../base/kernel/format.js';
import type { RequirementId } from '../base/interface/types.js';
import { listedButNotFound } from '../judge/checks/judge-answer.js';
import { about, type Finding } from '../judge/findings/finding.js';
import { PATIENCE_MS } from '../judge/world/known-animals.js';
import type { Exchange } from '../wire/exchange/types.js';

/** A fetch of an animal that listings showed: what it violates, and its exchange. Times in Unix ms. */
interface Fetch {
  readonly status: number;
  readonly findings: readonly Finding[];
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly shown: () => Exchange;
}

/** Status codes of an animal that others removed. Others say that the operation is gone, or are faults. */
const REMOVED: readonly number[] = [404, 410];

/** Rows that a fetch violates which does not find its animal. */
const OF_ANIMAL: readonly RequirementId[] = ['get-ok', 'get-until-removal'];

/**
 * Different animals that others may have removed before the first fetch of a run. If even more are missing
 * and none was ever found, the operation is gone. A fetch takes any listed animal, so the first ones rarely
 * meet only removed animals.
 */
const MOST_REMOVED = 4;

type Charge = (finding: Finding, shown: () => Exchange) => void;

/**
 * Holds what fetches violate that did not find an animal until the animal is seen again. Other clients may
 * have removed it since the run listed it; one that a later fetch finds, or a later listing shows, was there
 * all the time. Where no animal was ever found, they count once more animals are missing than others may have
 * removed.
 *
 * @param charge takes a finding of a fetch that counts only later
 */
export function foundAgain(charge: Charge) {
  const heldById = new Map<string, { readonly first: Fetch; count: number; until: number }>();
  let state: 'none found' | 'gone' | 'serves' = 'none found';

  /** Charges the fetches of an animal that are held; returns their number. */
  const release = (id: string, as: (finding: Finding, shown: () => Exchange) => Finding): number => {
    const held = heldById.get(id);
    if (!held) return 0;
    heldById.delete(id);
    const { findings, shown } = held.first;
    for (let nth = 0; nth < held.count; nth += 1)
      for (const finding of findings) charge(as(finding, shown), shown);
    return held.count;
  };

  /** Charges the fetches that did not find an animal which a later one found; returns their number. */
  const find = (id: string, sentAt: number): number => {
    const held = heldById.get(id);
    return !held || sentAt <= held.until ? 0 : release(id, asMissed);
  };

  /**
   * Takes a fetch of an animal; returns the findings that count immediately, and the number of fetches
   * charged by it.
   */
  const fetched = (
    id: string,
    fetch: Fetch,
  ): { readonly findings: readonly Finding[]; readonly reveals: number } => {
    if (fetch.status === 200) state = 'serves';
    const reveals = fetch.status === 200 ? find(id, fetch.sentAt) : 0;
    const ofAnimal = REMOVED.includes(fetch.status)
      ? fetch.findings.filter(({ requirement }) => OF_ANIMAL.includes(requirement))
      : [];
    if (ofAnimal.length === 0 || state === 'gone') return { findings: fetch.findings, reveals };
    if (state === 'none found' && !heldById.has(id) && heldById.size === MOST_REMOVED) {
      state = 'gone';
      const held = [...heldById.keys()];
      return { findings: fetch.findings, reveals: sum(held, (missing) => release(missing, unchanged)) };
    }
    const held = heldById.get(id) ?? { first: { ...fetch, findings: ofAnimal }, count: 0, until: 0 };
    held.count += 1;
    held.until = Math.max(held.until, fetch.answeredAt);
    heldById.set(id, held);
    return { findings: fetch.findings.filter((finding) => !ofAnimal.includes(finding)), reveals };
  };

  /**
   * Takes the animals of a listing; returns the number of fetches charged by it. A listing that was requested
   * soon after a fetch may come from a cache or a replica that still shows an animal that others removed.
   */
  const listed = (ids: ReadonlySet<string>, sentAt: number): number => {
    if (heldById.size === 0) return 0;
    const shown = [...heldById].filter(
      ([id, { first }]) => ids.has(id) && sentAt >= first.answeredAt + PATIENCE_MS,
    );
    if (shown.length === 0) return 0;
    const as = state === 'serves' ? asMissed : unchanged;
    if (state === 'none found') state = 'gone';
    return sum(shown, ([id]) => release(id, as));
  };
  return { fetched, listed };
}

const unchanged = (finding: Finding): Finding => finding;

/** Charges the animal, not the operation: it serves this one now. */
const asMissed = (finding: Finding, shown: () => Exchange): Finding =>
  finding.requirement === 'get-until-removal'
    ? { ...finding, ...about('get-ok', listedButNotFound(shown())) }
    : finding;
