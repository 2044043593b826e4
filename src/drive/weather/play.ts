import type { ClientExchange, TrafficEnd, TrafficFacts } from '../../wire/exchange/client-exchange.js';
import { now } from '../../wire/exchange/connection.js';
import { credentialReader } from '../../wire/exchange/request-credential.js';
import { parseRequestTarget } from '../../wire/exchange/request-target.js';
import { SHORTEST_GRACE_MS } from '../../judge/clients/timing.js';
import { otherOrigin } from './other-origin.js';
import { recordedServer, type Arrived, type Clock, type Given } from './recorded-server.js';
import { scenarioService } from './scenario-service.js';
import type { Scenario } from './scenarios.js';
import { answerOf } from './steps.js';
import { takingSteps } from './taking-steps.js';

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

/** Plays a scenario on two free loopback ports: the service's, and the other origin of redirects. */
export async function play(scenario: Scenario, options: PlayOptions): Promise<Stage> {
  const { key, onExchange, nextId, clock = now } = options;
  const reader = credentialReader({ business: key });
  const service = scenarioService(scenario, key, clock);
  const { basePath } = service;
  const next = takingSteps(scenario, clock);
  const elsewhere = await otherOrigin({ clock, reader, nextId, onExchange });
  const respond = async (request: Arrived): Promise<Given> => {
    const { key: used, bearer } = reader.credentialOf(request);
    const { operation } = parseRequestTarget(request, basePath);
    const step = used.kind === 'plan' && bearer && operation !== null ? await next(operation) : null;
    if (step === null) return served(service, request);
    const { status, headers, text } = answerOf(step, clock(), `${elsewhere.origin}${request.target}`);
    return { status, headers, payload: Buffer.from(text) };
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
