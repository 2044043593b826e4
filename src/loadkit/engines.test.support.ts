import { type TestContext } from 'node:test';
import { loadContract } from '../base/interface/contract.js';
import { createResponseValidator } from '../base/interface/response-validator.js';
import { now } from '../wire/exchange/connection.js';
import { memoryJournal } from '../log/journal.js';
import { rawServer, respond, type RawRequest } from '../testing/raw-server.js';
import { secret } from '../wire/targets/secret.js';
import { closedLoop } from './closed-loop.js';
import type { EngineContext } from './engine-context.js';
import { AnswerJudge, type JudgedKey } from './judge-answers.js';
import { watchKey } from './key-watch.js';
import { watchThroughput } from './throughput.js';
import { Meter, type FinishedRequest } from './meter.js';
import { Seconds } from './seconds.js';
import { requestSource } from './requests.js';
import { turnsOf } from '../wire/scenario/schedule.js';
import { newConnectionReuse } from '../wire/exchange/connection-reuse.js';
import { measureStalls } from './health.js';
import { RATE_HEADERS } from '../base/interface/rate-headers.js';

const contract = loadContract();

const judging = { contract, validator: createResponseValidator(contract) };

const windows = { minute: 60, day: 86_400 };

/** Returns the rate-limit headers of a correct server. */
export const headers = (remaining = 5): readonly string[] => [
  'Content-Type: application/json',
  `${RATE_HEADERS.limit}: 10`,
  `${RATE_HEADERS.remaining}: ${remaining}`,
  `${RATE_HEADERS.reset}: ${Math.ceil(Date.now() / 1000) + 30}`,
  `Date: ${new Date().toUTCString()}`,
];

/** A timeout that no response of these servers exceeds, however slow the machine, ms. */
const LONG_MS = 60_000;

/** Runs an engine against a server that answers with raw bytes. */
export async function engineAgainst(
  t: TestContext,
  answer: (request: RawRequest) => void,
  { perMinute = 1_000_000, timeoutMs = LONG_MS } = {},
) {
  const server = await rawServer(answer);
  t.after(() => server.close());
  const journal = memoryJournal();
  // The headers show the day's limit, so that a test can set the minute's.
  const figures = { perMinute, perDay: 10, minuteSeconds: 60, daySeconds: 86_400 };
  const key: JudgedKey = {
    figures,
    watch: watchKey({ perMinute, perDay: 1e9 }, windows),
    context: { basePath: '/v1', userAgent: 'test', run: '0123abcd', secret: secret('pk-some-key-of-a-test') },
  };
  const judge = new AnswerJudge(judging, journal, new Map([['free', key]]), null);
  const aborting = new AbortController();
  const finished: FinishedRequest[] = [];
  const source = requestSource('0123abcd', null, judge.newKnown, 0, contract);
  const shared: EngineContext = {
    origin: server.origin,
    limits: { timeoutMs, maxBodyBytes: 10_000, signal: aborting.signal },
    keys: new Map([['free', key]]),
    source,
    turns: turnsOf([{ operation: 'listPets', weight: 1, limits: [], statuses: [] }]),
    judge,
    seconds: new Seconds(),
    stalls: measureStalls(),
    throughput: watchThroughput(),
    sharedKeys: null,
    onFinished: (request) => void finished.push(request),
    reuse: newConnectionReuse(),
    signal: aborting.signal,
  };
  const meter = new Meter();
  /** Sends `amount` requests in closed loop. */
  const flood = async (amount: number, connections = 4, operation: 'listPets' | 'createPet' = 'listPets') => {
    let left = amount;
    const { answered } = closedLoop(shared, meter, {
      connections,
      until: now() + 5 * LONG_MS,
      next: () => (left-- > 0 ? source.prepare({ operation }, 'free', left) : null),
      again: () => true,
    });
    const remarks = await answered;
    return { remarks, counts: meter.totals().operations[0], violations: judge.ofPhase() };
  };
  return { server, shared, meter, flood, journal, judge, aborting, finished };
}

export const PAGE = '[{"id":1,"name":"a","categoryId":1,"status":"sold"}]';

export const answer = (status: string, body: string) => (request: RawRequest) =>
  respond(request.socket, body, headers(), status);
