import type { OperationName, PlanName } from '../contract/types.js';
import type { Json, JsonObject } from './json.js';
import type { Algorithm, Allowance, Look } from './limiters/windows.js';
import type { Answer, Header, Incoming, Problem, Read, Route, Wire } from './messages.js';
import type { Settings } from './options.js';
import type { Animal, NewAnimal, PetStatus, Store } from './store.js';
import type { KeyName } from '../contract/names.js';

/** Client that sends a request. */
export type Caller = { readonly kind: 'known'; readonly key: KeyName } | { readonly kind: 'unknown' };

/** A request with all that the server knows about it. */
export interface Context {
  readonly request: Incoming;
  readonly route: Route;
  readonly caller: Caller;
  readonly settings: Settings;
  readonly store: Store;
  readonly behaviour: Behaviour;
}

/** Values of the rate headers of one response. */
export interface RateFigures {
  readonly limit: number;
  readonly remaining: number;
  /** Unix ms. */
  readonly resetAt: number;
}

/** State of one window of a caller, with its settings. */
export type WindowLook = Look & Allowance;

/** Decision of a rate limit on a request. */
export type Admission =
  | { readonly kind: 'admitted' }
  | { readonly kind: 'limited'; readonly retryAt: number }
  | { readonly kind: 'banned'; readonly until: number };

/** Treatment of clients that keep sending after 429. */
export interface BanHabits {
  /** This many requests that did not wait out their Retry-After bring a ban. */
  readonly after: number;
  readonly lengthMs: number;
  readonly status: number;
  /** Whose ban a request is measured by, given the bucket that it counts in. */
  readonly whose: (bucket: string) => string;
}

/** Query of a listing request. */
export interface ListingQuery {
  readonly limit: number;
  readonly status: PetStatus | undefined;
}

/** Reads one member of a NewPet; `undefined` stands for a member that is not there. */
export type Rule<T> = (value: Json | undefined) => Read<T>;

/** Rules for reading the members of a NewPet. */
export interface NewPetRules {
  readonly name: Rule<string>;
  readonly categoryId: Rule<bigint>;
  readonly status: Rule<PetStatus | undefined>;
}

/**
 * All that a server does, as seams: a flaw or a variant takes one and gives back another with some of them changed.
 * Everything is synchronous and `work` 0 ms, so that a request which was admitted is counted before the next is looked at.
 */
export interface Behaviour {
  /** The path that all operations stand below, and that the base address ends with. */
  readonly basePath: string;
  /** Whether the deprecated operation has been taken away at a time, Unix ms. */
  readonly isRemoved: (at: number) => boolean;
  /** The server's own clock, Unix ms, given the true one. */
  readonly clock: (now: number) => number;
  readonly route: (request: Incoming, basePath: string) => Route;
  readonly authenticate: (request: Incoming, settings: Settings) => Caller;
  /** Anything answered before the caller is asked who it is; null goes on. */
  readonly early: (context: Context) => Answer | null;
  /** The answer to a caller without a valid key. */
  readonly unauthorized: (context: Context) => Answer;

  /** The bucket that a request of a known caller counts in. */
  readonly bucket: (context: Context & { readonly key: KeyName }) => string;
  readonly allowance: (plan: PlanName, settings: Settings) => { readonly minute: Allowance; readonly day: Allowance };
  readonly minuteAlgorithm: Algorithm;
  readonly dayAlgorithm: Algorithm;
  /** Whether the rate limit applies to this request. */
  readonly isLimited: (context: Context) => boolean;
  /** Number of requests that an answered request counts as. */
  readonly cost: (context: Context, answer: Answer) => number;
  readonly ban: (settings: Settings) => BanHabits | null;
  /** Values for the headers, from both windows. */
  readonly figures: (minute: WindowLook, day: WindowLook) => RateFigures;
  /** The answer to a request that was not admitted. */
  readonly refuse: (context: Context, admission: Exclude<Admission, { kind: 'admitted' }>) => Answer;
  /** The Retry-After text for a time in Unix ms. */
  readonly retryAfter: (retryAt: number, context: Context) => string | null;
  readonly rateHeaders: (figures: RateFigures, context: Context) => readonly Header[];

  /** Time between admission and counting, ms. */
  readonly work: (context: Context) => number;
  readonly operations: Readonly<Record<OperationName, (context: Context) => Answer>>;
  readonly undeclared: (context: Context) => Answer;

  readonly readLimit: (text: string | null) => Read<number>;
  readonly readStatus: (text: string | null) => Read<PetStatus | undefined>;
  /** The animals that a caller can see now. */
  readonly visible: (context: Context) => readonly Animal[];
  readonly order: (animals: readonly Animal[]) => readonly Animal[];
  readonly matches: (animal: Animal, status: PetStatus) => boolean;
  /** From the ordered animals to those that are answered. */
  readonly select: (
    animals: readonly Animal[],
    query: ListingQuery,
    matches: (animal: Animal) => boolean,
  ) => readonly Animal[];
  readonly renderListing: (animals: readonly Json[], context: Context) => Json;

  /** Whether the media type will do; undefined when it will. */
  readonly mediaTypeProblem: (contentType: string | undefined) => Problem | undefined;
  readonly readBody: (text: string) => Read<JsonObject>;
  readonly rules: NewPetRules;
  /** A last look at a creation in which every member is right. */
  readonly creationProblem: (body: JsonObject, animal: NewAnimal, context: Context) => Problem | undefined;
  /** The id of the nth animal of a server, counted from 1. */
  readonly idOf: (nth: number) => bigint;
  /** Returns the animal to store for a creation. */
  readonly keep: (animal: Animal) => Animal;
  readonly createdStatus: number;

  readonly readId: (text: string) => Read<bigint>;
  readonly find: (context: Context, id: bigint) => Animal | undefined;

  readonly renderAnimal: (animal: Animal, context: Context) => JsonObject;
  readonly renderError: (problem: Problem, context: Context) => Json;
  /** The answer that a problem becomes. */
  readonly problem: (problem: Problem, context: Context) => Answer;
  /** A last look at every answer, its rate headers on it. */
  readonly finish: (answer: Answer, context: Context) => Answer;
  /** Changes a response before it is sent. */
  readonly transport: (wire: Wire, context: Context) => Wire;
}

/** One change of a behaviour: what a flaw or a variant is made of. */
export type Change = (behaviour: Behaviour) => Behaviour;
