import { judgeAnswer } from '../../judge/checks/judge-answer.js';
import { knownPage, type KnownPage } from '../../judge/checks/listing-asked.js';
import { filled, petsOf } from '../../judge/checks/listing.js';
import type { PassiveContext } from '../../judge/checks/passive.js';
import { ownAnimal } from '../../judge/world/animals.js';
import { matchingBeyond } from '../../judge/world/matching-animals.js';
import { ownLackedBy } from '../../judge/world/absent-animals.js';
import { PATIENCE_MS } from '../../judge/world/known-animals.js';
import type { World } from '../../judge/world/world.js';
import { asIfRemoved, notFoundAgain } from '../../judge/checks/status.js';
import type { RequirementId } from '../../base/interface/types.js';
import { answeredAt } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { about, violated, type Finding, type Violation } from '../../judge/findings/finding.js';
import type { Ask } from './requests.js';

/** A read that lacks an animal, which may only be late. It is repeated and judged after a wait. */
export interface Overdue {
  readonly ask: Ask;
  readonly id: string;
}

export interface Verdict {
  readonly kept: readonly RequirementId[];
  readonly violations: readonly Violation[];
  readonly overdue: readonly Overdue[];
  /** Id of an animal that two listings show differently. A fetch decides which listing is right. */
  readonly disputed: string | null;
}

/** Judges a response by itself and by the store before it, and names the reads that lack an animal. */
export function judgeAct(ask: Ask, exchange: Exchange, world: World, context: PassiveContext): Verdict {
  const { kept, findings, disputed } = judgeAnswer(exchange, ask, world, context);
  const page = ask.act.do === 'list' ? pageWithin(exchange, context) : null;
  const lacked = page ? ownLackedBy(page, world) : notFound(ask, exchange, world);
  return {
    kept,
    violations: violations([...findings, ...(page ? notFilled(page, world) : [])]),
    overdue: lacked.map((id) => ({ ask, id })),
    disputed,
  };
}

/** Returns the page of a listing within the interface; null for another response. */
function pageWithin(exchange: Exchange, context: PassiveContext): KnownPage | null {
  const page = exchange.intent.kind === 'open' ? null : knownPage(exchange, context);
  return page?.reading.ok ? page : null;
}

/**
 * Returns the id of an animal created by the run that a fetch does not find; the response to an open id is
 * free.
 */
function notFound({ id = null }: Ask, exchange: Exchange, world: World): readonly string[] {
  const isOwn = id !== null && ownAnimal(id, world) !== null;
  return isOwn && asIfRemoved(exchange) && exchange.intent.kind !== 'open' ? [id] : [];
}

/** Finds a page with fewer animals than its limit although more match. */
function notFilled(page: KnownPage, world: World): readonly Finding[] {
  const matching = matchingBeyond(page, world);
  return matching === null ? [] : [about('list-page-full', filled(page.limit, matching, page))];
}

/**
 * Judges the repetition of an overdue read.
 *
 * @param isWhole is true if a page shows all that matches
 */
export function judgeOverdue(
  { ask, id }: Overdue,
  exchange: Exchange,
  { animals }: World,
  context: PassiveContext,
  isWhole: (page: KnownPage) => boolean,
): readonly Violation[] {
  const created = animals.get(id)?.own?.exchange;
  if (!created || exchange.sentAt < answeredAt(created) + PATIENCE_MS) return [];
  if (ask.act.do !== 'list')
    return asIfRemoved(exchange)
      ? violations([about('get-matches-created', notFoundAgain(exchange, created))])
      : [];
  const page = knownPage(exchange, context);
  if (!page?.reading.ok || petsOf(page).some((pet) => pet.id === id || pet.id === null) || !isWhole(page))
    return [];
  const detail = {
    expected: `animal ${id} in the list`,
    actual: `${petsOf(page).length} animals without it`,
  };
  const lack = `animal ${id}, which was created before, is not in “${exchange.probe}”`;
  return violations([about('list-shows-created', violated([exchange, created], lack, detail))]);
}

const violations = (findings: readonly Finding[]): readonly Violation[] =>
  findings.flatMap((finding) => (finding.kind === 'violated' ? [finding] : []));
