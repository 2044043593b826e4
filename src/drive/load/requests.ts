import type { OperationName } from '../../base/interface/types.js';
import type { WireRequest, TimedAnswer } from '../../wire/exchange/connection.js';
import { traceparent, userAgent } from '../../wire/exchange/headers.js';
import { placeholder, written } from '../../wire/exchange/key-forms.js';
import { CLOSED } from '../../wire/exchange/transport-error.js';
import {
  assembled,
  basePathOf,
  exchangeOf,
  loadProbe,
  type RequestSpec,
} from '../../wire/exchange/request-spec.js';
import { bearer } from '../probes/credentials.js';
import { namePrefix, petBody } from '../probes/creation-bodies.js';
import { creating, declared, fetching, listing } from '../probes/specs.js';
import type { Secret } from '../../wire/targets/secret.js';
import type { Target } from '../../wire/targets/target.js';
import type { Exchange, Answer, Header } from '../../wire/exchange/types.js';
import { animalsIn } from '../../judge/checks/pets.js';
import { GUESSED_CATEGORY, smallCategory } from '../probes/store.js';
import { sampleOf, unread } from '../../judge/checks/rate-headers.js';
import type { Sample } from '../../judge/limits/sample.js';
import type { KeyName } from '../../base/interface/names.js';

const CATEGORY_MAY_BE_UNKNOWN = [201, 400] as const;

/** Returns the next request of an operation: a small listing, an existing pet, or a valid creation. */
export type Requests = (operation: OperationName) => RequestSpec;

/**
 * Returns the requests that one key sends under load, all valid. A fetch becomes a listing while no pet is
 * known.
 */
export function requestsOf(key: KeyName, run: string, store: LoadStore): Requests {
  const identity = bearer(key);
  const list = listing({ limit: 1 }, identity, declared(200));
  let created = 0;
  return (operation) => {
    switch (operation) {
      case 'listPets':
        return list;
      case 'getPet': {
        const id = store.id();
        return id === null ? list : fetching(id, identity, declared(200));
      }
      case 'createPet': {
        created += 1;
        const name = `${namePrefix(run)}-load-${key}-${created}`;
        const category = store.category();
        const body = petBody({ name, categoryId: category ?? GUESSED_CATEGORY, status: 'available' });
        const statuses = category === null ? CATEGORY_MAY_BE_UNKNOWN : [201];
        return creating(`load ${key} ${created}`, body, identity, declared(...statuses));
      }
    }
  };
}

/** Parts that all requests of one key share. */
export interface WireContext {
  /** Path of the base address, without a trailing slash. */
  readonly basePath: string;
  readonly userAgent: string;
  /** Eight hexadecimal digits. */
  readonly run: string;
  readonly secret: Secret;
}

export const wireContext = (
  { baseUrl }: Pick<Target, 'baseUrl'>,
  { run }: Pick<WireContext, 'run'>,
  key: KeyName,
  secret: Secret,
): WireContext => ({
  basePath: basePathOf(new URL(baseUrl)),
  userAgent: userAgent(run, `load ${key}`),
  run,
  secret,
});

/** Only here the key is filled in. */
export const wireOf = (spec: RequestSpec, context: WireContext): WireRequest => {
  const key = context.secret.reveal();
  const wire = assembled(spec, context.basePath, common(context), (form) => written(key, form));
  return { ...wire, headers: [...wire.headers, ['traceparent', traceparent(context.run)]] };
};

/**
 * Common headers of a key's requests. Without Accept-Encoding: decoding would cost time while the next
 * request waits.
 */
const common = ({ userAgent }: WireContext): readonly Header[] => [
  ['Accept', 'application/json'],
  ['User-Agent', userAgent],
];

export const traceparentIn = ({ headers }: Pick<WireRequest, 'headers'>): string =>
  headers.findLast(([name]) => name === 'traceparent')?.[1] ?? '';

export function bytesOf({ method, path, headers, body }: WireRequest, host: string): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: keep-alive',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}

const recorded = new WeakMap<RequestSpec, WireRequest>();

/** With placeholders for the key. Cached by description. */
export function recordedOf(spec: RequestSpec, context: WireContext): WireRequest {
  const known = recorded.get(spec) ?? assembled(spec, context.basePath, common(context), placeholder);
  recorded.set(spec, known);
  return known;
}

export type LoadStore = ReturnType<typeof loadStore>;

/**
 * Keeps what requests need of the target's store, as text: a pet to fetch and a category for creations; null
 * before one was seen. It has the suites' facts, and learns missing ones from the load's responses.
 */
export function loadStore(known: readonly Exchange[]) {
  let id: string | null = null;
  let category: string | null = null;
  const learn = (exchange: Exchange): void => {
    if (id !== null && category !== null) return;
    for (const pet of animalsIn(exchange)) {
      id ??= pet.id;
      category ??= smallCategory(pet);
    }
  };
  for (const exchange of known) learn(exchange);
  return { id: (): string | null => id, category: (): string | null => category, learn };
}

/** `exchange` is for checks of whole responses, `sample` for the limits. */
export interface LoadAnswer {
  readonly exchange: Exchange;
  readonly sample: Sample;
}

export type Times = Pick<Sample, 'intendedAt' | 'sentAt' | 'answeredAt'>;

/** @param id unique within the run */
export function loadAnswer(
  id: string,
  spec: RequestSpec,
  context: WireContext,
  times: Times,
  answer: Answer,
): LoadAnswer {
  const exchange = exchangeOf(
    { ...spec, probe: loadProbe(id) },
    {
      id,
      request: recordedOf(spec, context),
      sentAt: times.sentAt,
      latencyMs: times.answeredAt - times.sentAt,
      attempts: 1,
      answer,
    },
  );
  return { exchange, sample: { ...(sampleOf(exchange) ?? unread(exchange)), ...times } };
}

/** Answer of a request that was lost with its connection and sent again. */
export const LOST_WITH_ITS_CONNECTION: Answer = { kind: 'none', ...CLOSED };

/**
 * Returns one response for each time a request was sent. A request lost with its connection before any byte
 * came was sent again; the first may have reached the server too.
 */
export function answersOf(
  nextId: () => string,
  spec: RequestSpec,
  context: WireContext,
  intendedAt: number | null,
  { sentAt, latencyMs, attempts, answer }: TimedAnswer,
): readonly LoadAnswer[] {
  const times = { intendedAt: intendedAt ?? sentAt, sentAt, answeredAt: sentAt + latencyMs };
  const last = loadAnswer(nextId(), spec, context, times, answer);
  const lost = Array.from({ length: attempts - 1 }, () =>
    loadAnswer(nextId(), spec, context, times, LOST_WITH_ITS_CONNECTION),
  );
  return [...lost, last];
}
