import type { RequirementId } from '../../base/interface/types.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { blocked, kept, violated, untried, unestablished, type Judgement } from '../findings/finding.js';
import { count } from '../../base/kernel/format.js';
import { describe } from '../findings/describe.js';
import { isOutgrown, statusBreak, blockedWords, hasErrorMembers, KEY_REFUSED } from './layers.js';
import { hasRoundedId } from './rounded-ids.js';
import { statusOf, answerHeader } from '../../wire/exchange/headers.js';
import { prerequisite, animalsOf, type Single } from './pets.js';
import { isSuccess } from '../../base/interface/success.js';

/**
 * Judges if a response has the status code that its row names. A break charged to another row makes this one
 * inconclusive.
 */
export function answers(row: RequirementId, exchange: Exchange): Judgement {
  const broken = statusBreak(exchange);
  if (!broken) return kept([exchange]);
  if (broken.charged !== row) return prerequisite(broken, exchange);
  return violated([exchange], `“${exchange.probe}” got ${broken.actual}`, {
    expected: broken.expected,
    actual: broken.actual,
  });
}

/** Is true if a control succeeded. Any success counts: another row judges its status code. */
export const succeeded = ({ answer }: Exchange): boolean =>
  answer.kind === 'response' && isSuccess(answer.status);

/** Is true for a request that must be refused: without a valid key, or against the interface. */
export const mustBeRefused = ({ intent }: Pick<Exchange, 'intent'>): boolean =>
  intent.kind === 'expects' && !intent.statuses.some((status) => status < 300);

/** Judges a refusal. Without a successful control it proves nothing (rule 1 of the ledger). */
export function refused(row: RequirementId, exchange: Exchange, control: Exchange): Judgement {
  if (isOutgrown(exchange))
    return untried(
      `“${exchange.probe}” (with this key it is a request of ${count(exchange.grownTo ?? 0)} bytes, too large for the target)`,
    );
  if (succeeded(control)) return answers(row, exchange);
  return blocked(
    statusBreak(control)?.charged ?? null,
    `“${control.probe}” did not succeed either, so a rejection of “${exchange.probe}” proves nothing`,
    [control, exchange],
  );
}

export const asIfRemoved = (exchange: Exchange): boolean => {
  const status = statusOf(exchange);
  return status !== null && AS_IF_REMOVED.includes(status);
};

/** Redirects (RFC 9110 section 15.4; 304 is none), and refusals of a resource, a method or both. */
const AS_IF_REMOVED: readonly number[] = [300, 301, 302, 303, 307, 308, 404, 405, 410, 501];

/** Part 9: judges if the deprecated operation works until its removal. `get-ok` judges its other faults. */
export function stillThere(exchange: Exchange): Judgement {
  if (asIfRemoved(exchange))
    return violated(
      [exchange],
      `“${exchange.probe}” got ${statusOf(exchange)} for an existing animal, as if the operation were removed`,
      { expected: '200 until the day of removal', actual: String(statusOf(exchange)) },
    );
  const broken = statusBreak(exchange);
  return broken ? prerequisite(broken, exchange) : kept([exchange]);
}

/** Part 9: judges if a removed operation returns no success. Its error is free. */
export function gone(exchange: Exchange): Judgement {
  const broken = statusBreak(exchange);
  if (broken) return prerequisite(broken, exchange);
  return succeeded(exchange)
    ? violated([exchange], `“${exchange.probe}” still succeeded after the day of its removal`, {
        expected: 'no success',
        actual: String(statusOf(exchange)),
      })
    : kept([exchange]);
}

/** Part 4: judges if the returned animal is the requested one, by its id even if other members are wrong. */
export function isRequestedAnimal(id: string, { exchange, reading }: Single): Judgement {
  const pet = reading.ok ? reading.value : animalsOf(exchange)[0];
  if (pet?.id === id || (!reading.ok && !succeeded(exchange))) return kept([exchange]);
  if (!reading.ok && (pet?.id ?? null) === null)
    return untried(`whether “${exchange.probe}” returns the requested animal (its id cannot be read)`);
  if (pet && hasRoundedId(id, pet))
    return blocked('pet-int64', `the id in “${exchange.probe}” has lost its last digits`, [exchange]);
  return violated([exchange], `“${exchange.probe}” returned another animal than the requested one`, {
    expected: `id ${id}`,
    actual: `id ${describe(pet?.rawId)}`,
    measured: { what: ['another animal'] },
  });
}

/** Part 4: judges if an existing id gets 200. Another row judges if the operation exists. */
export function existingIsServed(exchange: Exchange): Judgement {
  if (asIfRemoved(exchange))
    return blocked(
      'get-until-removal',
      `“${exchange.probe}” returned ${statusOf(exchange)}, as if the operation were removed`,
      [exchange],
    );
  return answers('get-ok', exchange);
}

/** Others may remove any animal while a run lasts. */
export const removedMeanwhile = (id: string, exchange: Exchange): Judgement =>
  unestablished('too-little-data', `animal ${id} was removed during the run`, [exchange]);

export const notFoundAgain = (fetch: Exchange, creation: Exchange): Judgement =>
  violated([fetch, creation], `“${fetch.probe}” does not find the created animal`, {
    expected: '200',
    actual: String(statusOf(fetch)),
  });

export const refusedUnlike = (creation: Exchange, accepted: Exchange): Judgement =>
  violated(
    [creation, accepted],
    `“${creation.probe}” was rejected, although “${accepted.probe}”, which differs only in the name, was accepted`,
    { expected: '201', actual: String(statusOf(creation)) },
  );

/** Part 5: judges if a valid key is not refused. Other rows judge the rest of the response. */
export function notRefusedForItsKey(exchange: Exchange): Judgement {
  const status = statusOf(exchange);
  if (exchange.blockedAfter !== undefined)
    return violated([exchange], blockedWords(exchange), {
      expected: 'a response of the service',
      actual: String(status),
    });
  if (status !== null && KEY_REFUSED.includes(status))
    return violated([exchange], refusalWords(exchange), {
      expected: 'neither 401 nor 403',
      actual: String(status),
    });
  const broken = statusBreak(exchange);
  return broken && broken.charged === null ? prerequisite(broken, exchange) : kept([exchange]);
}

/** A service refuses with an Error. Another refusal may have nothing to do with the key. */
function refusalWords(exchange: Exchange): string {
  const { probe, request } = exchange;
  if (!hasErrorMembers(exchange))
    return `“${probe}” was refused without an Error, as by a firewall in front of the service`;
  const isInLowerCase = request.headers.some(([name]) => name === 'authorization');
  return `“${probe}” with a valid key was refused${isInLowerCase ? ', with the header’s name in lower case' : ''}`;
}

/**
 * Part 5: returns the requests with a valid key that were refused for it. Their rows cannot be judged, and
 * are not charged.
 */
export const refusedForTheirKey = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.filter((exchange) => statusBreak(exchange)?.charged === 'auth-valid-key');

/** RFC 9110 section 15.5.2: judges if every 401 has a challenge. */
export function challenged(exchanges: readonly Exchange[]): readonly Judgement[] {
  const refusals = exchanges.filter((exchange) => exchange.operation !== null && statusOf(exchange) === 401);
  if (refusals.length === 0) return [unestablished('prerequisite', 'no request got 401')];
  const bare = refusals.filter((exchange) => answerHeader(exchange, 'www-authenticate') === null);
  const [first] = bare;
  if (!first) return [kept(refusals)];
  return [
    violated(
      [first],
      `${count(bare.length)} of ${count(refusals.length)} responses with 401 have no challenge`,
      {
        expected: 'a WWW-Authenticate header',
        actual: 'none',
      },
    ),
  ];
}
