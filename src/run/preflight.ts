import { petsOf } from '../checks/listing.js';
import type { Page } from '../checks/listing.js';
import { answerHeader, statusOf } from '../exchange/headers.js';
import type { Exchange, TransportCode } from '../exchange/types.js';
import type { PreflightFacts } from '../log/record.js';
import { Unsettled } from '../probes/unsettled.js';
import type { Bench } from '../suite/bench.js';
import type { Target } from '../target/target.js';
import { planOf } from '../target/target.js';

/** Why a run cannot begin, whose affair that is, and what to do. */
export interface Obstacle {
  readonly code: TransportCode | 'key-refused' | 'rate-limited';
  /** The obstacle in a few words, to stand inside a sentence. */
  readonly short: string;
  readonly message: string;
  readonly hint: string;
}

/** What preflight found: facts to go on with, or what is in the way. */
export type PreflightResult =
  { readonly ok: true; readonly facts: PreflightFacts } | { readonly ok: false; readonly obstacle: Obstacle };

/** A clock further off than this is worth a remark, ms: less is the resolution of Date. */
const NOTABLE_SKEW_MS = 2000;

/**
 * Asks the target for its fullest listing, which the suites need anyway, and reads from it whether a run makes sense:
 * reachable, key accepted, plan as declared, clock, size of the store.
 */
export async function preflight(
  bench: Bench,
  target: Target,
  planned: { readonly requests: number; readonly seconds: number },
): Promise<PreflightResult> {
  const before = bench.probes.exchanges().length;
  let page: Page;
  try {
    page = await bench.probes.census();
  } catch (error) {
    if (!(error instanceof Unsettled)) throw error;
    return { ok: false, obstacle: rateLimited(target) };
  }
  const { exchange } = page;
  if (exchange.answer.kind === 'none') {
    const obstacle = unreachable(exchange.answer.code, exchange.answer.message, target);
    return obstacle ? { ok: false, obstacle } : { ok: true, facts: factsOf() };
  }
  if (exchange.answer.status === 401 || exchange.answer.status === 403)
    return { ok: false, obstacle: keyRefused(target, exchange.answer.status) };
  if (exchange.answer.status === 429) return { ok: false, obstacle: rateLimited(target) };
  return { ok: true, facts: factsOf() };

  function factsOf(): PreflightFacts {
    const first = bench.probes.exchanges()[before] ?? exchange;
    const skew = skewOf(exchange);
    const animals = page.reading.ok ? petsOf(page).length : null;
    return {
      reachableMs: Math.round(first.latencyMs),
      keyAccepted: statusOf(exchange) === 200,
      plan: target.suiteKey,
      limitSeen: answerHeader(exchange, 'x-ratelimit-limit'),
      clockSkewMs: skew,
      animals,
      animalsComplete: animals !== null && animals < bench.judging.contract.pageSize.max,
      plannedRequests: planned.requests,
      plannedSeconds: planned.seconds,
      remarks: remarksOf(exchange, target, skew),
    };
  }
}

/** Server clock less ours, ms: Date has whole seconds, and was written somewhere between sending and answer. */
function skewOf(exchange: Exchange): number | null {
  const date = Date.parse(answerHeader(exchange, 'date') ?? '');
  if (Number.isNaN(date)) return null;
  const lowest = date - (exchange.sentAt + exchange.latencyMs);
  const highest = date + 1000 - exchange.sentAt;
  return lowest <= 0 && highest >= 0 ? 0 : Math.round(lowest > 0 ? lowest : highest);
}

function remarksOf(exchange: Exchange, target: Target, skew: number | null): string[] {
  const { perMinute, perDay } = planOf(target, target.suiteKey);
  const limit = answerHeader(exchange, 'x-ratelimit-limit')?.trim() ?? null;
  const remarks: string[] = [];
  if (exchange.answer.kind === 'none')
    remarks.push(
      `the first request had no whole answer (${exchange.answer.message}): the target's or the network's affair`,
    );
  if (limit !== null && limit !== String(perMinute) && limit !== String(perDay))
    remarks.push(
      `the ${target.suiteKey} key is answered with a limit of ${limit}, where the plan has ${perMinute} a minute: the key may be of another plan`,
    );
  if (skew !== null && Math.abs(skew) > NOTABLE_SKEW_MS)
    remarks.push(
      `the target's clock is ${Math.abs(Math.round(skew / 1000))} s ${skew > 0 ? 'ahead of' : 'behind'} this machine's; times are judged by its own`,
    );
  if (skew === null && exchange.answer.kind === 'response')
    remarks.push('the target sends no Date, so that its Reset cannot be placed in time');
  return remarks;
}

function unreachable(code: TransportCode, message: string, { baseUrl }: Target): Obstacle | null {
  switch (code) {
    case 'refused':
      return {
        code,
        short: 'nothing listens at its address',
        message: `Nothing listens at ${baseUrl} (${message}).`,
        hint: 'Start the server, or mend the address: nothing was judged, and this is not the target’s fault.',
      };
    case 'unknown-host':
      return {
        code,
        short: 'its host is not known',
        message: `The host of ${baseUrl} is not known (${message}).`,
        hint: 'Mend the address, or the name service of this machine.',
      };
    case 'tls':
      return {
        code,
        short: 'no trusted TLS connection to it',
        message: `No trusted TLS connection to ${baseUrl} (${message}).`,
        hint: 'Give the certificate authority as http.ca in the target file, or mend the server’s certificate.',
      };
    case 'timeout':
      return {
        code,
        short: 'it did not answer in time',
        message: `${baseUrl} did not answer in time (${message}).`,
        hint: 'See whether the server is up and the way to it is open; http.timeoutMs in the target file says how long is waited.',
      };
    case 'reset':
    case 'malformed-http':
    case 'aborted':
      return {
        code,
        short: 'it broke off without an HTTP answer',
        message: `${baseUrl} broke off without an HTTP answer (${message}).`,
        hint: 'See whether an HTTP server listens there: https behind an http address looks like this.',
      };
    case 'too-large':
    case 'bad-encoding':
      return null;
  }
}

const keyRefused = ({ baseUrl, suiteKey, name }: Target, status: number): Obstacle => ({
  code: 'key-refused',
  short: 'it refuses the key',
  message: `${baseUrl} refuses the ${suiteKey} key with ${status}.`,
  hint: `See whether the ${suiteKey} key of target ${name} is the right one for this address: without a key that is accepted nothing can be judged.`,
});

const rateLimited = ({ baseUrl, suiteKey }: Target): Obstacle => ({
  code: 'rate-limited',
  short: 'it answers 429 to everything',
  message: `${baseUrl} answers 429 to the ${suiteKey} key, however long its Retry-After is waited out.`,
  hint: 'The key may be banned, or its day’s allowance used up: try later, or with another key.',
});
