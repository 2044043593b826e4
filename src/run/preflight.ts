import { petsOf, type Page } from '../judge/checks/listing.js';
import { answeredAt, answerHeader, statusOf, rateHeader } from '../wire/exchange/headers.js';
import type { PlanFigures } from '../base/interface/plans.js';
import { headerNumber } from '../base/interface/rate-headers.js';
import { nothingKnown } from '../wire/exchange/kept-connection.js';
import type { Exchange } from '../wire/exchange/types.js';
import type { PreflightFacts } from '../log/record.js';
import { Unjudgeable } from '../drive/probes/unjudgeable.js';
import { pauseToReset } from '../drive/probes/waits.js';
import { openFixture, orderFor, type Fixture } from '../drive/suite/fixture.js';
import { planOf, type Target } from '../wire/targets/target.js';
import { isInClear } from '../wire/targets/base-url.js';
import { clockRemark } from '../outcome/words/remarks.js';
import type { Journal } from '../log/journal.js';
import { obstacleIn, rateLimited } from './obstacle.js';
import { keysOf, type Estimate, type RunOptions } from './request.js';
import type { Doubt, PreflightResult } from '../report/examination.js';

async function preflight(
  fixture: Fixture,
  target: Target,
  estimate: RunOptions['estimate'],
): Promise<PreflightResult> {
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
  const obstacle = await obstacleIn(exchange, target, fixture);
  if (obstacle) return { ok: false, obstacle };
  const skew = skewOf(exchange);
  const doubts = doubtsIn(exchange, target, skew);
  const first = fixture.probes.exchanges()[0] ?? exchange;
  const animals = page.reading.ok ? petsOf(page).length : null;
  const planned = await estimate(first.latencyMs);
  const shortage = shortageOf(exchange, planned, target);
  return {
    ok: true,
    doubts,
    facts: {
      reachableMs: Math.round(first.latencyMs),
      keyAccepted: statusOf(exchange) === 200,
      status: statusOf(exchange),
      plan: target.suiteKey,
      limitSeen: rateHeader(exchange, 'limit'),
      clockSkewMs: skew,
      animals,
      animalsComplete: animals !== null && animals < fixture.judging.contract.pageSize.max,
      plannedRequests: planned.requests,
      plannedSeconds: planned.seconds,
      ...(planned.isMost === true && { plannedIsMost: true as const }),
      ...(shortage && { shortage }),
      remarks: doubts.map(({ text }) => text),
    },
  };
}

/**
 * Returns how many requests the key has left by the response to the first, if the suites send more, and how
 * long they may wait for its limit; null if they need not wait.
 */
export function shortageOf(
  first: Exchange,
  { suites }: Pick<Estimate, 'suites'>,
  { windows }: Pick<Target, 'windows'>,
): NonNullable<PreflightFacts['shortage']> | null {
  const left = Number(rateHeader(first, 'remaining') ?? NaN);
  // The first is one of those that the suites send.
  if (!suites || !Number.isSafeInteger(left) || left < 0 || suites.withKey - 1 <= left) return null;
  const pause = pauseToReset(first, answeredAt(first), windows.minute * 1000);
  return pause && { left, seconds: Math.ceil(pause.ms / 1000) };
}

/** Server clock minus local clock, ms: Date has whole seconds, and was set between request and response. */
function skewOf(exchange: Exchange): number | null {
  const date = Date.parse(answerHeader(exchange, 'date') ?? '');
  if (Number.isNaN(date)) return null;
  const lowest = date - (exchange.sentAt + exchange.latencyMs);
  const highest = date + 1000 - exchange.sentAt;
  return lowest <= 0 && highest >= 0 ? 0 : Math.round(lowest > 0 ? lowest : highest);
}

/**
 * Runs preflight with the suites' key. It requests the largest listing, which the suites need anyway, and
 * derives if a run makes sense: reachable, key accepted, plan as declared, clock, size of the store. The cost
 * is computed only if the run can start.
 */
export async function look(
  { request, removal, estimate, signal }: Pick<RunOptions, 'request' | 'removal' | 'estimate' | 'signal'>,
  journal: Journal,
): Promise<PreflightResult> {
  const { target } = request;
  const order = orderFor(target, request, removal);
  const afterwards = nothingKnown();
  const { fixture, sender } = openFixture(order, { journal, keys: keysOf(request), afterwards, signal });
  try {
    const result = await preflight(fixture, target, estimate);
    // Ends before the suites' process has started.
    await sender.settled();
    const connections = afterwards.reuse.learnt();
    return result.ok && connections.deaths + connections.closings > 0
      ? { ...result, facts: { ...result.facts, connections } }
      : result;
  } finally {
    await sender.close();
  }
}

const applying = (
  rows: readonly (readonly [applies: boolean, text: string, hint: string])[],
): readonly Doubt[] => rows.flatMap(([applies, text, hint]) => (applies ? [{ text, hint }] : []));

/** Returns Limit of a response as it is written if it is no figure of the plan; null if it is, or absent. */
export function strangeLimit(exchange: Exchange, { perMinute, perDay }: PlanFigures): string | null {
  const text = rateHeader(exchange, 'limit')?.trim() ?? null;
  const limit = headerNumber(text);
  return limit === perMinute || limit === perDay ? null : text;
}

function doubtsIn(exchange: Exchange, target: Target, skewMs: number | null): readonly Doubt[] {
  const figures = planOf(target, target.suiteKey);
  const strange = strangeLimit(exchange, figures);
  const { answer } = exchange;
  const clocks = clockRemark(skewMs);
  const silence = answer.kind === 'none' ? answer.message : '';
  return applying([
    [
      answer.kind === 'none' && answer.code === 'too-large',
      `the first listing cannot be read: ${silence}`,
      'A run can start, and leaves open what needs whole listings. Set http.maxBodyBytes in the target file above that size.',
    ],
    [
      answer.kind === 'none' && answer.code !== 'too-large',
      `the first request got no complete response (${silence}): the cause is the target or the network`,
      'A run can start. Send GET /pets?limit=100 by hand.',
    ],
    [
      strange !== null,
      `responses to the ${target.suiteKey} key show a limit of ${strange}, but the plan has ${figures.perMinute} a minute: ` +
        'the key may belong to another plan',
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

/** A service may refuse only the limit of that listing. */
const SEE_LISTING =
  'A run can start and judges that; run --requirement list-ok --requirement list-limit-bounds shows the response.';

export function doubtsBeforehand(
  target: Target,
  { keyAccepted, animals, animalsComplete }: PreflightFacts,
  writes: boolean,
): readonly Doubt[] {
  const url = new URL(target.baseUrl);
  return applying([
    [isInClear(url), 'keys are sent unencrypted over http', 'Use an https address if there is one.'],
    [
      !url.pathname.endsWith('/v1'),
      'the address does not end with /v1',
      `Check whether ${target.baseUrl}/v1 is right: a run judges that.`,
    ],
    [!keyAccepted, 'the first listing got no readable 200', SEE_LISTING],
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
