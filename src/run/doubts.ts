import { isLoopback } from '../targets/base-url.js';
import { answerHeader } from '../exchange/headers.js';
import type { Exchange } from '../exchange/types.js';
import type { PreflightFacts } from '../log/record.js';
import { clockRemark } from '../words/clock-remark.js';
import { planOf, type Target } from '../targets/target.js';

/** Unusual property of a target that does not prevent a run: a sentence without a full stop, and a hint. */
export interface Doubt {
  readonly text: string;
  readonly hint: string;
}

/** Returns the doubts of the rows that apply. */
const applying = (rows: readonly (readonly [applies: boolean, text: string, hint: string])[]): readonly Doubt[] =>
  rows.flatMap(([applies, text, hint]) => (applies ? [{ text, hint }] : []));

/** Returns the unusual properties of the first listing's response, with hints. */
export function doubtsIn(exchange: Exchange, target: Target, skewMs: number | null): readonly Doubt[] {
  const { perMinute, perDay } = planOf(target, target.suiteKey);
  const limit = answerHeader(exchange, 'x-ratelimit-limit')?.trim() ?? null;
  const { answer } = exchange;
  const clocks = clockRemark(skewMs);
  return applying([
    [
      answer.kind === 'none',
      `the first request had no whole answer (${answer.kind === 'none' ? answer.message : ''}): the target's or the network's affair`,
      'A run judges what comes. Ask for GET /pets?limit=100 by hand; http.maxBodyBytes says how long a body may be.',
    ],
    [
      limit !== null && limit !== String(perMinute) && limit !== String(perDay),
      `the ${target.suiteKey} key is answered with a limit of ${limit}, where the plan has ${perMinute} a minute: the key may be of another plan`,
      'Give the key under its own plan. Where the plan is right a run judges the limit (rate-limit-value).',
    ],
    [clocks !== null, clocks ?? '', 'Nothing, unless this machine’s clock is the wrong one: then set it.'],
    [
      skewMs === null && answer.kind === 'response',
      'the first answer carries no Date, by which Reset is placed in time',
      'The Date of other answers serves. Where none carries it, have the server or the proxy before it send it.',
    ],
  ]);
}

const SEE_LISTING = 'A run can start and judges that; run --requirement list-ok shows the answer.';

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
      'the keys travel unencrypted over http',
      'Use an https address where there is one.',
    ],
    [
      !url.pathname.endsWith('/v1'),
      'the address does not end with /v1',
      `See whether ${target.baseUrl}/v1 is meant: a run judges that.`,
    ],
    [!keyAccepted, 'the first listing was not answered with 200', SEE_LISTING],
    [keyAccepted && animals === null, 'what was answered with 200 is no list of animals', SEE_LISTING],
    [
      animals === 0 && !writes,
      'the store is empty, and nothing may be created',
      'Put animals into it, or allow writes: most of the listing cannot be judged otherwise.',
    ],
    [
      animals !== null && !animalsComplete,
      'the store holds more animals than one listing shows',
      'What needs to see all of them is not judged; a store that is made new for each run shows most.',
    ],
  ]);
}
