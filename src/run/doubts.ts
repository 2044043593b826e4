import { answerHeader } from '../exchange/headers.js';
import type { Exchange } from '../exchange/types.js';
import type { PreflightFacts } from '../log/record.js';
import { clockRemark } from '../report/words/clocks.js';
import { planOf, type Target } from '../targets/target.js';

/** What is unusual about a target, though a run can start: a sentence without an end, and what to do. */
export interface Doubt {
  readonly text: string;
  readonly hint: string;
}

/** What is unusual about the answer to the first listing, and whose affair it is. */
export function doubtsIn(exchange: Exchange, target: Target, skewMs: number | null): readonly Doubt[] {
  const { perMinute, perDay } = planOf(target, target.suiteKey);
  const limit = answerHeader(exchange, 'x-ratelimit-limit')?.trim() ?? null;
  const clocks = clockRemark(skewMs);
  return [
    ...(exchange.answer.kind === 'none'
      ? [
          {
            text: `the first request had no whole answer (${exchange.answer.message}): the target's or the network's affair`,
            hint: 'A run judges what comes. Ask for GET /pets?limit=100 by hand; http.maxBodyBytes says how long a body may be.',
          },
        ]
      : []),
    ...(limit !== null && limit !== String(perMinute) && limit !== String(perDay)
      ? [
          {
            text: `the ${target.suiteKey} key is answered with a limit of ${limit}, where the plan has ${perMinute} a minute: the key may be of another plan`,
            hint: 'Give the key under its own plan. Where the plan is right a run judges the limit (rate-limit-value).',
          },
        ]
      : []),
    ...(clocks === null
      ? []
      : [{ text: clocks, hint: 'Nothing, unless this machine’s clock is the wrong one: then set it.' }]),
    ...(skewMs === null && exchange.answer.kind === 'response'
      ? [
          {
            text: 'the first answer carries no Date, by which Reset is placed in time',
            hint: 'The Date of other answers serves. Where none carries it, have the server or the proxy before it send it.',
          },
        ]
      : []),
  ];
}

/** Hosts that no request leaves this machine for. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** What else is worth a thought before a first run, by what is known of target and store. */
export function doubtsBeforehand(
  target: Target,
  { keyAccepted, animals, animalsComplete }: PreflightFacts,
  writes: boolean,
): readonly Doubt[] {
  const { protocol, hostname, pathname } = new URL(target.baseUrl);
  const isEmpty = animals === 0 && !writes;
  return [
    ...(protocol === 'http:' && !LOOPBACK.test(hostname)
      ? [{ text: 'the keys travel unencrypted over http', hint: 'Use an https address where there is one.' }]
      : []),
    ...(pathname.endsWith('/v1')
      ? []
      : [
          {
            text: 'the address does not end with /v1',
            hint: `See whether ${target.baseUrl}/v1 is meant: a run judges that.`,
          },
        ]),
    ...(!keyAccepted
      ? [
          {
            text: 'the first listing was not answered with 200',
            hint: 'A run can start and judges that; run --requirement list-ok shows the answer.',
          },
        ]
      : []),
    ...(keyAccepted && animals === null
      ? [
          {
            text: 'what was answered with 200 is no list of animals',
            hint: 'A run can start and judges that; run --requirement list-ok shows the answer.',
          },
        ]
      : []),
    ...(isEmpty
      ? [
          {
            text: 'the store is empty, and nothing may be created',
            hint: 'Put animals into it, or allow writes: most of the listing cannot be judged otherwise.',
          },
        ]
      : []),
    ...(animals !== null && !animalsComplete
      ? [
          {
            text: 'the store holds more animals than one listing shows',
            hint: 'What needs to see all of them is not judged; a store that is made new for each run shows most.',
          },
        ]
      : []),
  ];
}
