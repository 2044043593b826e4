import type { ClientExchange, TrafficEnd, TrafficFacts } from '../../wire/exchange/client-exchange.js';
import { now } from '../../wire/exchange/connection.js';
import { MetSecrets } from '../../wire/exchange/met-secrets.js';
import { CredentialReader } from '../../wire/exchange/request-credential.js';
import type { OwnAnswer } from '../../wire/proxy/passed.js';
import { SHORTEST_GRACE_MS } from '../../judge/clients/timing.js';
import { otherOrigin, recordedServer, type Arrived, type Clock } from './recorded-server.js';
import { scenarioService } from './scenario-service.js';
import type { Scenario } from './scenarios.js';
import { answering } from './answer-steps.js';

/** A scenario that is being played. */
export interface Stage extends AsyncDisposable {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string;
  readonly facts: TrafficFacts;
  /** Ends the scenario. Then the record holds all requests, also those that were not answered. */
  readonly end: (finished: boolean) => Promise<TrafficEnd>;
}

interface PlayOptions {
  /** The client's key, in clear. */
  readonly key: string;
  readonly onExchange: (exchange: ClientExchange) => void;
  readonly nextId: () => string;
  /** Called once with each token that is not the client's key. */
  readonly onUnknownKey?: (key: string) => void;
  readonly secrets?: MetSecrets;
  readonly clock?: Clock;
}

/** Plays a scenario on two free loopback ports: the service's, and the other origin of redirects. */
export async function play(scenario: Scenario, options: PlayOptions): Promise<Stage> {
  const { key, onExchange, nextId, onUnknownKey, secrets = new MetSecrets(), clock = now } = options;
  const reader = new CredentialReader({ business: key }, onUnknownKey);
  const service = scenarioService(scenario, key, clock);
  const { basePath } = service;
  const elsewhere = await otherOrigin({ clock, reader, secrets, nextId, onExchange });
  const graceMs = (): number => server.graceMs();
  const stepped = answering(scenario, { reader, basePath, clock, graceMs, elsewhere: elsewhere.origin });
  const respond = async (request: Arrived): Promise<OwnAnswer> =>
    (await stepped(request)) ?? served(service, request);
  const server = await recordedServer({ clock, reader, secrets, nextId, onExchange, respond });
  const close = async (): Promise<void> => {
    await server[Symbol.asyncDispose]();
    await elsewhere[Symbol.asyncDispose]();
  };
  return {
    baseUrl: `${server.origin}${basePath}`,
    facts: { source: 'reference', scenario: scenario.name, basePath, graceMs: SHORTEST_GRACE_MS },
    async end(finished) {
      const endedAt = clock();
      await close();
      return { endedAt, finished, graceMs: server.graceMs() };
    },
    [Symbol.asyncDispose]: close,
  };
}

function served(service: ReturnType<typeof scenarioService>, request: Arrived): OwnAnswer {
  const [path = '/', query = ''] = request.target.split('?', 2);
  const { status, headers, payload } = service
    .take({
      method: request.method,
      path,
      query: new URLSearchParams(query),
      headers: Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value])),
      headerNames: request.headers.map(([name]) => name),
      body: request.body,
      address: '127.0.0.1',
      connection: request.connection,
    })
    .answer();
  return { status, headers, text: payload.toString('utf8') };
}
