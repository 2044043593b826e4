import { setTimeout as pause } from 'node:timers/promises';
import type { ClientExchange, TrafficEnd, TrafficFacts } from '../../wire/exchange/client-exchange.js';
import { credentialReader } from '../../wire/exchange/request-credential.js';
import { parseRequestTarget } from '../../wire/exchange/request-target.js';
import { HELD_BACK_MS } from '../../judge/clients/rests.js';
import { SHORTEST_GRACE_MS } from '../../judge/clients/timing.js';
import { monotonic, recordedServer, type Arrived, type Clock, type Given } from './recorded-server.js';
import { scenarioService } from './scenario-service.js';
import type { Scenario, Step } from './scenarios.js';
import { answerOf, untilLate } from './steps.js';

/** A scenario that is being played. */
export interface Stage extends AsyncDisposable {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string;
  readonly facts: TrafficFacts;
  /** Returns the end of the record as of now. */
  readonly end: (finished: boolean) => TrafficEnd;
}

export interface PlayOptions {
  /** The client's key, in clear. */
  readonly key: string;
  readonly onExchange: (exchange: ClientExchange) => void;
  readonly nextId: () => string;
  readonly clock?: Clock;
}

/** Longest wait for the rest of a group, ms. Clients that send four together were seen to take up to 45 ms. */
const TOGETHER_MS = 500;
/** How long a refusal is held back, ms: a little more than the judge needs, because a timer may fire early. */
const HOLD_MS = HELD_BACK_MS + 10;

/** Plays a scenario on two free loopback ports: the service's, and the other origin of redirects. */
export async function play(scenario: Scenario, options: PlayOptions): Promise<Stage> {
  const { key, onExchange, nextId, clock = monotonic } = options;
  const reader = credentialReader({ business: key });
  const service = scenarioService(scenario, key, clock);
  const { basePath } = service;
  const next = stepsOf(scenario, clock);
  const elsewhere = await recordedServer({
    clock,
    reader,
    nextId,
    isElsewhere: true,
    onExchange,
    respond: () => Promise.resolve(given(200, [['Content-Type', 'application/json']], '[]')),
  });
  const respond = async (request: Arrived): Promise<Given> => {
    const { key: used, bearer } = reader.credentialOf(request);
    const { operation } = parseRequestTarget(request, basePath);
    const step = used.kind === 'plan' && bearer && operation !== null ? await next(operation) : null;
    if (step === null) return served(service, request);
    const { status, headers, text } = answerOf(step, clock(), `${elsewhere.origin}${request.target}`);
    return given(status, headers, text);
  };
  const server = await recordedServer({ clock, reader, nextId, onExchange, respond });
  return {
    baseUrl: `${server.origin}${basePath}`,
    facts: { source: 'reference', scenario: scenario.name, basePath, graceMs: SHORTEST_GRACE_MS },
    end: (finished) => ({ endedAt: clock(), finished, graceMs: server.graceMs() }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await elsewhere[Symbol.asyncDispose]();
    },
  };
}

const given = (status: number, headers: Given['headers'], text: string): Given => ({
  status,
  headers,
  payload: Buffer.from(text),
});

/** Returns what the reference server answers. */
function served(service: ReturnType<typeof scenarioService>, request: Arrived): Given {
  const [path = '/', query = ''] = request.target.split('?', 2);
  const { status, headers, payload } = service
    .take({
      method: request.method,
      path,
      query: new URLSearchParams(query),
      headers: Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value])),
      body: request.body,
      address: '127.0.0.1',
      connection: request.connection,
    })
    .answer();
  return { status, headers, payload };
}

/**
 * Returns a function that resolves with the step of the next request, once its answer is due; null for a request that is served.
 * Refusals are held back a little, so that what a client sends together arrives before the first answer.
 */
function stepsOf({ steps, operations, together }: Scenario, clock: Clock) {
  let taken = 0;
  const company = gathering(steps.length);
  return async (operation: string): Promise<Step | null> => {
    if (operations && !(operations as readonly string[]).includes(operation)) return null;
    const step = steps[taken];
    if (step === undefined) return null;
    if (together) {
      if (!(await company())) return null;
      taken = steps.length;
      return step;
    }
    taken += 1;
    if (step.kind === 'refuse' || step.kind === 'ban') await pause(HOLD_MS + untilLate(step, clock() + HOLD_MS));
    return step;
  };
}

/**
 * Returns a function that resolves once a request's group is complete: with true if others arrived with it, up to `most` in all.
 * A request that stays alone is no group, and neither is one that comes after the group was full.
 */
function gathering(most: number): () => Promise<boolean> {
  let size = 0;
  let waiting: ((isGroup: boolean) => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  const release = (): void => {
    clearTimeout(timer);
    const isGroup = size > 1;
    for (const resolve of waiting) resolve(isGroup);
    size = 0;
    waiting = [];
  };
  return () =>
    new Promise((resolve) => {
      size += 1;
      waiting.push(resolve);
      clearTimeout(timer);
      // A full group waits a little too: then what repeats a refusal could not have been called with it.
      timer = setTimeout(release, size === 1 || size >= most ? HOLD_MS : TOGETHER_MS);
    });
}
