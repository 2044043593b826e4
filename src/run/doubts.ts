import { isLoopback } from '../targets/base-url.js';
import { answerHeader } from '../exchange/headers.js';
import type { Exchange } from '../exchange/types.js';
import type { PreflightFacts } from '../log/record.js';
import { clockRemark } from '../words/remarks.js';
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
