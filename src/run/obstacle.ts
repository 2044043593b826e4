import type { Exchange } from '../wire/exchange/types.js';
import type { Obstacle } from '../log/record.js';
import { isPage } from '../judge/checks/firewall.js';
import { hasErrorMembers } from '../judge/checks/layers.js';
import { asksTooMuch, retryAfterMs } from '../drive/probes/waits.js';
import { capital, duration } from '../base/kernel/format.js';
import type { Target } from '../wire/targets/target.js';
import { nobody } from '../drive/probes/credentials.js';
import { expects } from '../drive/probes/specs.js';
import type { Fixture } from '../drive/suite/fixture.js';
import {
  unavailableFor,
  isGated,
  leavesService,
  offersTls,
  redirectObstacle,
  refusedInFront,
  expectsTls,
} from './in-front-of-service.js';
import { isOfGateway } from '../wire/exchange/gateway.js';
import { endsWithVersion, withVersion } from '../wire/targets/base-url.js';
import { unreachable } from './unreachable.js';

/*
 * Obstacles that prevent a run's start, for the first screen: a cause that follows “Cannot start:”, and a hint. They say
 * nothing about the target's conformity.
 */

/**
 * Returns the obstacle that the first listing shows, and a second request if the first leaves it open; null
 * for a response that the suites can judge.
 */
export async function obstacleIn(
  exchange: Exchange,
  target: Target,
  { probes, facts }: Pick<Fixture, 'probes' | 'facts'>,
): Promise<Obstacle | null> {
  const { answer } = exchange;
  const keyless = (): Promise<Exchange> => probes.listedUnder(nobody, {}, expects('auth-missing-key', 401));
  if (answer.kind === 'none') return unreachable(answer, target);
  const { status } = answer;
  if (leavesService(exchange, target)) {
    const other = await (facts.removal === 'before'
      ? probes.fetched(probes.unknownId(), expects('get-unknown', 404)).then((single) => single.exchange)
      : keyless());
    return leavesService(other, target) ? redirectObstacle(exchange, target) : null;
  }
  if (
    status === 400 &&
    target.baseUrl.startsWith('http:') &&
    !hasErrorMembers(exchange) &&
    (await offersTls(target))
  )
    return expectsTls(target);
  if (status === 401 || status === 403)
    return isGated(exchange, await keyless()) ? refusedInFront(exchange, target) : keyRefused(target, status);
  if (status === 429) return rateLimited(target, exchange);
  // An Error in JSON is the service's own response with any status code: the suites judge it.
  if (status === 404 && !endsWithVersion(target.baseUrl)) return noSuchPath(target);
  if (isOfGateway(exchange) && asksTooMuch(exchange, target.windows.minute * 1_000))
    return unavailableFor(target, status, retryAfterMs(exchange) ?? 0);
  if (hasErrorMembers(exchange)) return null;
  if (status === 404) return noSuchPath(target);
  if (isOfGateway(exchange)) return behindGateway(target, status);
  // A page with an error status is the service's own: the suites judge it too.
  return status < 300 && isPage(exchange) ? webPage(target, status) : null;
}

function keyRefused(target: Target, status: number): Obstacle {
  const { baseUrl, suiteKey, name, keyVariables } = target;
  const variable = keyVariables?.[suiteKey];
  const check = variable
    ? `Check ${variable}: it must hold a key that this address accepts.`
    : `Check the ${capital(suiteKey)} key of ${name}: this address must accept it.`;
  return {
    code: 'key-refused',
    short: 'it refuses the key',
    message: `${baseUrl} refused the ${capital(suiteKey)} key (${status}).`,
    hint: endsWithVersion(baseUrl) ? check : `${check} Or did you mean ${withVersion(baseUrl)} ?`,
  };
}

/** Obstacle of a 429, which does not show if the plan's minute or day is used up, or the key is banned. */
export const rateLimited = (target: Target, refusal: Exchange): Obstacle => ({
  code: 'rate-limited',
  short: 'it returns 429 to every request',
  message: `${target.baseUrl} returns 429 to the ${capital(target.suiteKey)} key, ${refusedThroughout(refusal, target)}.`,
  hint: 'The key may be banned, or its daily limit used up. Try later, or use another key.',
});

function refusedThroughout(refusal: Exchange, { windows }: Target): string {
  const asked = retryAfterMs(refusal);
  if (asksTooMuch(refusal, windows.minute * 1_000)) return `and asks to wait ${duration(asked ?? 0)}`;
  return asked === null
    ? `without a usable Retry-After, and again after ${duration(windows.minute * 1_000)}`
    : 'even after the run waited for each Retry-After';
}

function noSuchPath(target: Target): Obstacle {
  const { baseUrl } = target;
  return {
    code: 'not-found',
    short: 'there is no /pets under its address',
    message: `there is no /pets under ${baseUrl} (404).`,
    hint: endsWithVersion(baseUrl)
      ? 'Correct the address: it is the part before /pets.'
      : `Did you mean ${withVersion(baseUrl)} ? The base address ends with /v1.`,
  };
}

const behindGateway = ({ baseUrl }: Target, status: number): Obstacle => ({
  code: 'gateway',
  short: `a proxy in front of it returns ${status}`,
  message: `a proxy at ${baseUrl} returned ${status}: it got no response from the service behind it.`,
  hint: 'Start the service, or correct the upstream of the proxy.',
});

/** Obstacle of a scenario that only fetches animals, where the listing shows none. */
export const noAnimal = ({ baseUrl }: Target): Obstacle => ({
  code: 'no-animal',
  short: 'it lists no animal to fetch',
  message: `${baseUrl} lists no animal with an id of its own, and the scenario only fetches animals.`,
  hint: 'Add an animal to the store, or listPets or createPet to the scenario.',
});

const webPage = ({ baseUrl }: Target, status: number): Obstacle => ({
  code: 'web-page',
  short: 'its address returns an HTML page',
  message: `${baseUrl}/pets is an HTML page (${status}), not JSON.`,
  hint: 'Correct the address, or look for a login page or a proxy in front of the service.',
});
