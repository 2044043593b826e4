import type { Results, RequirementResult } from '../results/results.js';
import type { Outcome } from '../../judge/verdict.js';
import { count, counted } from '../../base/kernel/format.js';

/** Every report uses these figures. */
export function requiredCountOf({ requirements }: Pick<Results, 'requirements'>) {
  const musts = requirements.filter(({ level }) => level === 'must');
  const having = (wanted: Outcome): number => musts.filter((row) => hasOutcome(row, wanted)).length;
  const outOfScope = having('not-applicable');
  return {
    /** Musts not declared out of scope: the only denominator. */
    inScope: musts.length - outOfScope,
    passed: having('passed'),
    /** Without those that a baseline accepts; they count as accepted. */
    failed: having('failed'),
    inconclusive: having('inconclusive'),
    accepted: musts.filter(({ acceptedUntil }) => acceptedUntil !== undefined).length,
    /**
     * Violated only where a violation warns: by an operation that the contract marks as unstable, or a 5xx
     * where the interface is silent.
     */
    warned: having('warned'),
    faults: having('error'),
    outOfScope,
  };
}

export type RequiredCount = Readonly<ReturnType<typeof requiredCountOf>>;

/**
 * “39 of 40 required behaviours passed”; of traffic, which never conforms, “11 of 61 required behaviours
 * shown”; where all were out of scope, “no required behaviour judged”.
 */
export function passedWords(results: Pick<Results, 'clean' | 'requirements'>): string {
  const { inScope, outOfScope, passed } = requiredCountOf(results);
  if (results.clean === true)
    return `${count(passed)} of ${counted(inScope + outOfScope, 'required behaviour')} shown`;
  return inScope === 0
    ? 'no required behaviour judged'
    : `${count(passed)} of ${counted(inScope, 'required behaviour')} passed`;
}

type Accepted = NonNullable<Results['accepted']>[number];
type Row = Pick<RequirementResult, 'outcome' | 'acceptedUntil'>;

type WithAccepted = Pick<Results, 'accepted'>;

/** “1 accepted deviation (until 2027-01-31)”, with the earliest day; empty without any. */
export const acceptedWords = ({ accepted = [] }: WithAccepted): string =>
  accepted.length === 0 ? '' : `${counted(accepted.length, 'accepted deviation')} (${earliest(accepted)})`;

/** “accepted until 2027-01-31”, with the earliest day. */
export const acceptedUntil = ({ accepted = [] }: WithAccepted): string =>
  `accepted${new Set(accepted.map(({ expires }) => expires)).size > 1 ? ', ' : ' '}${earliest(accepted)}`;

function earliest(accepted: readonly Accepted[]): string {
  const [first = '', ...later] = [...new Set(accepted.map(({ expires }) => expires))].toSorted();
  return `${later.length > 0 ? 'the first ' : ''}until ${first}`;
}

/** Words to follow “accepted”. */
export const agreement = ({ reason, link, expires }: Accepted): string =>
  `until ${expires}: ${reason} (${link})`;

/** Returns whether a row has an outcome that no baseline accepts. */
export const hasOutcome = ({ outcome, acceptedUntil }: Row, wanted: Outcome): boolean =>
  outcome === wanted && acceptedUntil === undefined;

/** An accepted deviation is not a failure to act on. */
export const shownOutcome = ({ outcome, acceptedUntil }: Row): Outcome =>
  acceptedUntil === undefined ? outcome : 'warned';

/** Returns whether a baseline accepts everything that prevents the verdict conformant. */
export const isAccepted = ({ complete, requirements }: Pick<Results, 'complete' | 'requirements'>): boolean =>
  complete &&
  requirements.some(({ acceptedUntil }) => acceptedUntil !== undefined) &&
  requirements.every(
    (row) =>
      !hasOutcome(row, 'error') &&
      !hasOutcome(row, 'failed') &&
      !(row.level === 'must' && hasOutcome(row, 'inconclusive')),
  );
