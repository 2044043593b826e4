import type { OperationName, PlanName } from '../base/interface/types.js';
import type { Json, JsonObject } from './json.js';
import type { Algorithm, Allowance, Look } from './limiter.js';
import type { Answer, Header, Incoming, Problem, Read, Route, Wire } from './messages.js';
import type { Settings } from './options.js';
import type { Animal, NewAnimal, PetStatus, Store } from './store.js';
import type { KeyName } from '../base/interface/names.js';

type Caller = { readonly kind: 'known'; readonly key: KeyName } | { readonly kind: 'unknown' };

export interface Context {
  readonly request: Incoming;
  readonly route: Route;
  readonly caller: Caller;
  readonly settings: Settings;
  readonly store: Store;
  readonly behaviour: Behaviour;
}

export interface RateFigures {
  readonly limit: number;
  readonly remaining: number;
  /** Unix ms. */
  readonly resetAt: number;
}

export type WindowLook = Look & Allowance;

export type Admission =
  | { readonly kind: 'admitted' }
  | { readonly kind: 'limited'; readonly retryAt: number }
  | { readonly kind: 'banned'; readonly until: number };

/** Treatment of clients that keep sending after 429. */
export interface BanHabits {
  /** Number of such requests until a ban starts. */
  readonly after: number;
  /**
   * Requests that count towards it, until the next success: those within a refusal's Retry-After, or all
   * refused ones.
   */
  readonly counts: 'ignored waits' | 'refusals';
  readonly lengthMs: number;
  /**
   * What Retry-After and Reset name during a ban: its end (Reset at most a window ahead, or not), or the
   * window's.
   */
  readonly names: 'end' | 'end in Reset too' | 'window';
  readonly status: number;
  /** Returns the owner of the ban for a request's bucket. */
  readonly whose: (bucket: string) => string;
}

export interface ListingQuery {
  readonly limit: number;
  readonly status: PetStatus | undefined;
}

/** Reads one member of a NewPet; `undefined` stands for a missing one. */
export type Rule<T> = (value: Json | undefined) => Read<T>;

export interface NewPetRules {
  readonly name: Rule<string>;
  readonly categoryId: Rule<bigint>;
  readonly status: Rule<PetStatus | undefined>;
}

/**
 * All behaviour of a server, as functions to replace: a flaw or a variant returns a copy with some changed.
 * All are synchronous and `work` is 0 ms, so an admitted request is counted before the next one is judged.
 */
export interface Behaviour {
  /** Path prefix of all operations, and end of the base address. */
  readonly basePath: string;
  /** True if the deprecated operation is removed at a time, Unix ms. */
  readonly isRemoved: (at: number) => boolean;
  /** Returns the server's clock, Unix ms, from the true one. */
  readonly clock: (now: number) => number;
  readonly route: (request: Incoming, basePath: string) => Route;
  readonly authenticate: (request: Incoming, settings: Settings) => Caller;
  /** Response before authentication matters; null continues. */
  readonly early: (context: Context) => Answer | null;
  readonly unauthorized: (context: Context) => Answer;

  readonly bucket: (context: Context & { readonly key: KeyName }) => string;
  readonly allowance: (
    plan: PlanName,
    settings: Settings,
  ) => { readonly minute: Allowance; readonly day: Allowance };
  readonly minuteAlgorithm: Algorithm;
  readonly dayAlgorithm: Algorithm;
  readonly isLimited: (context: Context) => boolean;
  /** Number of requests that one with a response counts as. */
  readonly cost: (context: Context, answer: Answer) => number;
  readonly ban: (settings: Settings) => BanHabits | null;
  readonly figures: (minute: WindowLook, day: WindowLook) => RateFigures;
  readonly refuse: (context: Context, admission: Exclude<Admission, { kind: 'admitted' }>) => Answer;
  /** Retry-After text for a time in Unix ms. */
  readonly retryAfter: (retryAt: number, context: Context) => string | null;
  readonly rateHeaders: (figures: RateFigures, context: Context) => readonly Header[];

  /** Time between admission and counting, ms. */
  readonly work: (context: Context) => number;
  readonly operations: Readonly<Record<OperationName, (context: Context) => Answer>>;
  readonly undeclared: (context: Context) => Answer;

  readonly readLimit: (text: string | null) => Read<number>;
  readonly readStatus: (text: string | null) => Read<PetStatus | undefined>;
  readonly visible: (context: Context) => readonly Animal[];
  readonly order: (animals: readonly Animal[]) => readonly Animal[];
  readonly matches: (animal: Animal, status: PetStatus) => boolean;
  /** Selects a page from the ordered animals. */
  readonly select: (
    animals: readonly Animal[],
    query: ListingQuery,
    matches: (animal: Animal) => boolean,
  ) => readonly Animal[];
  readonly renderListing: (animals: readonly Json[], context: Context) => Json;

  readonly mediaTypeProblem: (contentType: string | undefined) => Problem | undefined;
  readonly readBody: (text: string) => Read<JsonObject>;
  readonly rules: NewPetRules;
  /** Last check of a creation with valid members. */
  readonly creationProblem: (body: JsonObject, animal: NewAnimal, context: Context) => Problem | undefined;
  /** Id of the nth animal of a server, counted from 1. */
  readonly idOf: (nth: number) => bigint;
  /** Returns the animal to store for a creation. */
  readonly keep: (animal: Animal) => Animal;

  readonly readId: (text: string) => Read<bigint>;
  readonly find: (context: Context, id: bigint) => Animal | undefined;

  readonly renderAnimal: (animal: Animal, context: Context) => JsonObject;
  /** Changes a complete response with its rate headers. */
  readonly finish: (answer: Answer, context: Context) => Answer;
  readonly transport: (wire: Wire, context: Context) => Wire;
}

export type Change = (behaviour: Behaviour) => Behaviour;
