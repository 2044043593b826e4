import { petsOf, type Page } from '../checks/listing.js';
import { answerHeader, statusOf } from '../exchange/headers.js';
import type { Exchange } from '../exchange/types.js';
import type { Obstacle, PreflightFacts } from '../log/record.js';
import { nobody } from '../probes/credentials.js';
import { expects } from '../probes/specs.js';
import { Unjudgeable } from '../probes/unjudgeable.js';
import { openFixture, orderFor, type Fixture } from '../suite/fixture.js';
import { planOf, type Target } from '../targets/target.js';
import { isLoopback } from '../targets/base-url.js';
import { clockRemark } from '../words/remarks.js';
import { hasErrorMembers } from '../checks/layers.js';
import type { Journal } from '../log/journal.js';
import { obstacleIn, rateLimited, unreachable } from './obstacle.js';
import {
  gated,
  leavesService,
  redirected,
  refusedBefore,
  speaksTls,
  peerCertificate,
  type PeerCertificate,
} from './before-service.js';
import { keysOf, type RunOptions } from './request.js';

/** Facts for the run, or an obstacle. */
export type PreflightResult =
  | { readonly ok: true; readonly facts: PreflightFacts; readonly doubts: readonly Doubt[] }
  | { readonly ok: false; readonly obstacle: Obstacle };

/**
 * Requests the largest listing, which the suites need anyway, and derives if a run makes sense: reachable, key accepted, plan
 * as declared, clock, size of the store.
 * @param estimate cost of the run, computed only if it can start
 */
export async function preflight(
  fixture: Fixture,
  target: Target,
  estimate: RunOptions['estimate'],
): Promise<PreflightResult> {
  const before = fixture.probes.exchanges().length;
  let page: Page;
  try {
    page = await fixture.probes.census();
  } catch (error) {
    if (!(error instanceof Unjudgeable)) throw error;
    const refusal = fixture.probes.exchanges().at(-1);
    if (refusal === undefined) throw error;
    return { ok: false, obstacle: rateLimited(target, refusal) };
  }
  const { exchange } = page;
  const obstacle = await obstacleOf(exchange, target, fixture);
  if (obstacle) return { ok: false, obstacle };
  const skew = skewOf(exchange);
  const doubts = doubtsIn(exchange, target, skew);
  const first = fixture.probes.exchanges()[before] ?? exchange;
  const animals = page.reading.ok ? petsOf(page).length : null;
  const planned = await estimate();
  return {
    ok: true,
    doubts,
    facts: {
      reachableMs: Math.round(first.latencyMs),
      keyAccepted: statusOf(exchange) === 200,
      plan: target.suiteKey,
      limitSeen: answerHeader(exchange, 'x-ratelimit-limit'),
      clockSkewMs: skew,
      animals,
      animalsComplete: animals !== null && animals < fixture.judging.contract.pageSize.max,
      plannedRequests: planned.requests,
      plannedSeconds: planned.seconds,
      remarks: doubts.map(({ text }) => text),
    },
  };
}

/** Returns the obstacle from the first listing, and from a second request if the first leaves it open. */
async function obstacleOf(exchange: Exchange, target: Target, { probes, facts }: Fixture): Promise<Obstacle | null> {
  const { answer } = exchange;
  const status = statusOf(exchange);
  const certificate = (): Promise<PeerCertificate | null> => peerCertificate(target.baseUrl, target.http.timeoutMs);
  if (answer.kind === 'none')
    return unreachable(
      answer.code,
      answer.message,
      target,
      ['tls', 'reset', 'malformed-http'].includes(answer.code) ? await certificate() : null,
    );
  if (leavesService(exchange, target)) {
    const other = await (facts.removal === 'before'
      ? probes.fetched(probes.unknownId(), expects('get-unknown', 404)).then((single) => single.exchange)
      : probes.listedUnder(nobody, {}, expects('auth-missing-key', 401)));
    return leavesService(other, target) ? redirected(exchange, target) : null;
  }
  if (status === 400 && target.baseUrl.startsWith('http:') && !hasErrorMembers(exchange) && (await certificate()))
    return speaksTls(target);
  if (status === 401 || status === 403) {
    const keyless = await probes.listedUnder(nobody, {}, expects('auth-missing-key', 401));
    if (gated(exchange, keyless)) return refusedBefore(exchange, target);
  }
  return obstacleIn(exchange, target);
}

/** Server clock minus local clock, ms: Date has whole seconds, and was set between request and response. */
function skewOf(exchange: Exchange): number | null {
  const date = Date.parse(answerHeader(exchange, 'date') ?? '');
  if (Number.isNaN(date)) return null;
  const lowest = date - (exchange.sentAt + exchange.latencyMs);
  const highest = date + 1000 - exchange.sentAt;
  return lowest <= 0 && highest >= 0 ? 0 : Math.round(lowest > 0 ? lowest : highest);
}

type LookOptions = Pick<RunOptions, 'request' | 'removal' | 'estimate' | 'signal'>;

/** Runs preflight and logs its facts; returns the obstacle that prevents a run, or null. */
export async function preflightPhase(options: LookOptions, journal: Journal): Promise<Obstacle | null> {
  journal.append({ type: 'phase', phase: 'preflight', at: Date.now() });
  const result = await look(options, journal);
  if (!result.ok) return result.obstacle;
  journal.append({ type: 'preflight', facts: result.facts });
  return null;
}

/** Runs preflight by itself, with the suites' key. */
export async function look(
  { request, removal, estimate, signal }: LookOptions,
  journal: Journal,
): Promise<PreflightResult> {
  const { target } = request;
  const order = orderFor(target, request, removal);
  const { fixture, sender } = openFixture(order, { journal, keys: keysOf(request), signal });
  try {
    const result = await preflight(fixture, target, estimate);
    // Ends before the suites' process has started.
    await sender.settled();
    return result;
  } finally {
    await sender.close();
  }
}

/** Unusual property of a target that does not prevent a run: a sentence without a full stop, and a hint. */
export interface Doubt {
  readonly text: string;
  readonly hint: string;
}

const applying = (rows: readonly (readonly [applies: boolean, text: string, hint: string])[]): readonly Doubt[] =>
  rows.flatMap(([applies, text, hint]) => (applies ? [{ text, hint }] : []));

/** Returns the unusual properties of the first listing's response, with hints. */
function doubtsIn(exchange: Exchange, target: Target, skewMs: number | null): readonly Doubt[] {
  const { perMinute, perDay } = planOf(target, target.suiteKey);
  const limit = answerHeader(exchange, 'x-ratelimit-limit')?.trim() ?? null;
  const { answer } = exchange;
  const clocks = clockRemark(skewMs);
  return applying([
    [
      answer.kind === 'none',
      `the first request got no complete response (${answer.kind === 'none' ? answer.message : ''}): the cause is the target or the network`,
      'A run can start. Send GET /pets?limit=100 by hand, and check http.maxBodyBytes, the largest allowed body.',
    ],
    [
      limit !== null && limit !== String(perMinute) && limit !== String(perDay),
      `responses to the ${target.suiteKey} key show a limit of ${limit}, but the plan has ${perMinute} a minute: the key may belong to another plan`,
      'Give the key under its own plan. If the plan is right, a run judges the limit (rate-limit-value).',
    ],
    [clocks !== null, clocks ?? '', 'Do nothing, unless the clock of this machine is wrong: then set it.'],
    [
      skewMs === null && answer.kind === 'response',
      'the first response has no Date, which the run compares with Reset',
      'The run uses the Date of other responses. If none has it, let the server or its proxy send it.',
    ],
  ]);
}

const SEE_LISTING = 'A run can start and judges that; run --requirement list-ok shows the response.';

/** Returns further doubts before a first run, from the facts about target and store. */
export function doubtsBeforehand(
  target: Target,
  { keyAccepted, animals, animalsComplete }: PreflightFacts,
  writes: boolean,
): readonly Doubt[] {
  const url = new URL(target.baseUrl);
  return applying([
    [
      url.protocol === 'http:' && !isLoopback(url),
      'keys are sent unencrypted over http',
      'Use an https address if there is one.',
    ],
    [
      !url.pathname.endsWith('/v1'),
      'the address does not end with /v1',
      `Check whether ${target.baseUrl}/v1 is right: a run judges that.`,
    ],
    [!keyAccepted, 'the first listing did not return 200', SEE_LISTING],
    [keyAccepted && animals === null, 'the 200 to the first listing is not a list of animals', SEE_LISTING],
    [
      animals === 0 && !writes,
      'the store is empty, and writes are off',
      'Add animals, or allow writes: otherwise most listing requirements cannot be judged.',
    ],
    [
      animals !== null && !animalsComplete,
      'the store holds more animals than one listing shows',
      'Requirements that need a complete listing are not judged. Use a store that is created anew for each run.',
    ],
  ]);
}
