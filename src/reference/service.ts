import { rateLimiterOf, type RateLimiter } from './rate-limiter.js';
import { sound } from './sound.js';
import type { Change, Context } from './behaviour.js';
import { writeJson } from './json.js';
import {
  type Answer,
  type Body,
  errorAnswer,
  type Header,
  type Incoming,
  type Wire,
  withHeader,
} from './messages.js';
import { startingAnimals, storeOf } from './store.js';
import { type ReferenceOptions, settle, type Settings } from './options.js';
import { type KeyName, keyNames } from '../base/interface/names.js';

/** Largest body, bytes; larger ones get 413. */
export const MOST_BODY_BYTES = 1_048_576;

/** An incoming request before numbering; `body` is null if it is too large. */
export type Received = Omit<Incoming, 'serial' | 'at' | 'body'> & { readonly body: string | null };

/** A difference of a reference server, and options needed to show it, which the caller's override. */
export interface Alteration {
  readonly change: Change;
  readonly options: Partial<Settings>;
}

/** Creates a reference server without sockets, with alterations in their order. */
export function serviceOf(options: Partial<ReferenceOptions>, alterations: readonly Alteration[] = []) {
  const asked = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const settings = settle(Object.assign({}, ...alterations.map((each) => each.options), asked));
  const behaviour = alterations.reduce((before, { change }) => change(before), sound);
  const store = storeOf(startingAnimals(settings.animals, behaviour.idOf));
  const limiter = rateLimiterOf(behaviour);
  const counts = {
    all: 0,
    byKey: Object.fromEntries([...keyNames, 'anonymous'].map((name) => [name, 0])) as Record<
      KeyName | 'anonymous',
      number
    >,
    byPath: {} as Record<string, number>,
  };
  const refusals = new Map<KeyName, { now: number; most: number }>();
  /** Notes whether the limit or a ban refused a request of a key, in order of arrival. */
  const note = (key: KeyName, isRefused: boolean): void => {
    const { now, most } = refusals.get(key) ?? { now: 0, most: 0 };
    const next = isRefused ? now + 1 : 0;
    refusals.set(key, { now: next, most: Math.max(most, next) });
  };
  return {
    settings,
    basePath: behaviour.basePath,
    /** Handles a request at its arrival. Call `answer` after `workMs`. */
    take: ({ body, ...received }: Received) => {
      counts.all += 1;
      const request = {
        body: body ?? '',
        serial: counts.all,
        at: behaviour.clock(settings.now()),
        ...received,
      };
      const caller = behaviour.authenticate(request, settings);
      counts.byKey[caller.kind === 'known' ? caller.key : 'anonymous'] += 1;
      const line = `${request.method} ${request.path}`;
      counts.byPath[line] = (counts.byPath[line] ?? 0) + 1;
      const route = behaviour.route(request, behaviour.basePath);
      const context: Context = { request, route, caller, settings, store, behaviour };
      const { workMs, isRefused, answer } = handle(body === null ? tooLarge(context) : context, limiter);
      if (caller.kind === 'known') note(caller.key, isRefused);
      return { workMs, answer: (): Wire => behaviour.transport(encode(answer(), request.at), context) };
    },
    /** Returns the number of requests received; by key; and by method and path, as `GET /v1/pets`. */
    requests: (): number => counts.all,
    requestsByKey: (): Readonly<Record<KeyName | 'anonymous', number>> => ({ ...counts.byKey }),
    requestsByPath: (): Readonly<Record<string, number>> => ({ ...counts.byPath }),
    /** Returns the most refusals in a row that a key met, those of a ban included. */
    mostRefused: (key: KeyName): number => refusals.get(key)?.most ?? 0,
  };
}

/**
 * Checks a request: first its caller, then its allowance. Returns the work time before the response, ms, and
 * whether a limit or a ban refuses it. Returns also a function that performs the request, counts it, and
 * returns the response with its rate headers.
 */
function handle(context: Context, limiter: RateLimiter) {
  const { behaviour, caller } = context;
  const early = behaviour.early(context);
  const { workMs, isRefused, answer } =
    early !== null
      ? { workMs: 0, isRefused: false, answer: () => early }
      : caller.kind === 'unknown'
        ? { workMs: 0, isRefused: false, answer: () => behaviour.unauthorized(context) }
        : limited(context, limiter, caller.key);
  const figures = () =>
    caller.kind === 'unknown' ? limiter.anonymousFigures(context) : limiter.figures(context, caller.key);
  return {
    workMs,
    isRefused,
    answer: (): Answer => {
      const { headers, ...rest } = answer();
      const rateHeaders = behaviour.rateHeaders(figures(), context);
      return behaviour.finish({ ...rest, headers: [...headers, ...rateHeaders] }, context);
    },
  };
}

function limited(context: Context, limiter: RateLimiter, key: KeyName) {
  const { behaviour, route } = context;
  const admission = limiter.ask(context, key);
  if (admission.kind !== 'admitted') {
    const retryAfter = behaviour.retryAfter(
      admission.kind === 'banned' ? admission.until : admission.retryAt,
      context,
    );
    const refusal = behaviour.refuse(context, admission);
    return {
      workMs: 0,
      isRefused: true,
      answer: () => (retryAfter === null ? refusal : withHeader(refusal, 'Retry-After', retryAfter)),
    };
  }
  return {
    workMs: behaviour.work(context),
    isRefused: false,
    answer: () => {
      const answer =
        route.kind === 'operation'
          ? behaviour.operations[route.operation](context)
          : behaviour.undeclared(context);
      limiter.count(context, key, answer);
      return answer;
    },
  };
}

function tooLarge(context: Context): Context {
  const { behaviour } = context;
  const problem = { status: 413, code: 'too_large', message: `a body has at most ${MOST_BODY_BYTES} bytes` };
  const operations = { ...behaviour.operations, createPet: () => errorAnswer(problem) };
  return { ...context, behaviour: { ...behaviour, operations } };
}

const JSON_TYPE = 'application/json';

function encode(answer: Answer, at: number): Wire {
  const { payload, mediaType } = bytesOf(answer.body);
  const type: readonly Header[] = mediaType === null ? [] : [['Content-Type', mediaType]];
  return {
    status: answer.status,
    headers: [['Date', new Date(at).toUTCString()], ...type, ...answer.headers],
    payload,
    delayMs: 0,
    chunked: false,
    closes: false,
    resets: false,
  };
}

function bytesOf(body: Body): { payload: Buffer; mediaType: string | null } {
  if (body.kind === 'none') return { payload: Buffer.alloc(0), mediaType: null };
  return body.kind === 'json'
    ? { payload: Buffer.from(writeJson(body.value)), mediaType: body.mediaType ?? JSON_TYPE }
    : { payload: Buffer.from(body.text), mediaType: body.mediaType };
}
