import type { Finding } from '../findings/finding.js';
import type { Tried } from './tried.js';
import type { CapacityRecord } from './capacity-record.js';
import type { PlanName, Requirement, RequirementId } from '../contract/types.js';
import type { OwnProblem } from './own-problem.js';
import type { Exchange, TransportCode } from '../exchange/types.js';
import type { Sample } from '../limits/sample.js';
import type { KeyName, ProfileName, RunProfile } from '../contract/names.js';
import type { KeyPlaces } from '../targets/keys.js';

/** The log's format; a reader refuses any other. */
export const LOG_SCHEMA_VERSION = 1;

/** What was asked for beyond the default; every member that is absent selects nothing away. */
export interface Selection {
  readonly only?: 'suites' | 'load';
  readonly requirements?: readonly string[];
  readonly profiles?: readonly RunProfile[];
  readonly plans?: readonly PlanName[];
  readonly lastFailed?: boolean;
  /** A story of exploring, `SEED:PATH`, and nothing else. */
  readonly replay?: string;
  /** A load scenario's name: what was sent is that scenario, and what is judged is what its answers show. */
  readonly scenario?: string;
  /** Of a load run's part, or of a run's whose suites are shared out: which of how many, `2/4`. */
  readonly part?: string;
}

/** First record of every log: which run this is, of what, with what. */
export interface LogHeader {
  readonly type: 'header';
  readonly schemaVersion: typeof LOG_SCHEMA_VERSION;
  /** Eight hexadecimal digits; in the User-Agent, the traceparent and the names of created animals. */
  readonly run: string;
  readonly kit: { readonly name: string; readonly version: string };
  readonly interface: { readonly version: string; readonly removalDate: string };
  /** SHA-256 of the contract's and the ledger's files. */
  readonly contract: string;
  readonly ledger: string;
  readonly target: {
    readonly name: string;
    readonly baseUrl: string;
    /** Seconds. */
    readonly windows: { readonly minute: number; readonly day: number };
    readonly production: boolean;
    readonly exclusive: boolean;
    /** Where a shell finds each key again; logs of kits that did not record it lack it. */
    readonly keyPlaces?: KeyPlaces;
    /** Requests per minute and per day of the plans in scope. */
    readonly figures: Partial<Record<PlanName, { readonly perMinute: number; readonly perDay: number }>>;
  };
  readonly scope: {
    /** Plans whose key was given. */
    readonly plans: readonly PlanName[];
    readonly suiteKey: PlanName;
    readonly selection: Selection | null;
    /** The ids that the selection leaves; null when nothing was selected away. */
    readonly selected: readonly RequirementId[] | null;
    readonly writes: boolean;
    /** The day that the deprecated operation is judged for, ISO date. */
    readonly asOf: string;
    readonly includes: readonly ('ban' | 'day-quota')[];
  };
  /** What the run was to be accepted by, beyond its verdict. Logs of kits that did not record it lack it. */
  readonly acceptance?: Acceptance;
  readonly startedAt: string;
  /** The build of the server, in the words of whoever started the run; absent where nobody said. */
  readonly label?: string;
  /** The command line that repeats this run, without any key. */
  readonly command: string;
  /** Suites of somebody's own that were run beside; absent where none were. */
  readonly own?: OwnHeader;
  /** What showed the failures that this run repeats; absent where it repeats none. */
  readonly retries?: Retries;
  /** The longest that the run was given, seconds; absent where nothing but its plan ends it. */
  readonly mostSeconds?: number;
}

/** What showed the failure of a requirement in an earlier run. */
export interface Retry {
  readonly requirement: RequirementId;
  /** When that run started, ISO instant. */
  readonly since: string;
  /** The requests, as `kindOfRequest` has them, each with the requirement whose test sent it; null where nobody knows. */
  readonly requests: readonly (readonly [kind: string, test: RequirementId | null])[];
  /** The load profiles, and the keys that they sent with. */
  readonly profiles: readonly ProfileName[];
  readonly keys: readonly KeyName[];
  /** The stories of exploring, `SEED:PATH`. */
  readonly stories: readonly string[];
}

/** What showed failures in earlier runs. */
export interface Retries {
  readonly rows: readonly Retry[];
  /**
   * The requirements whose tests those runs ran; null for all. What a test shows may hang on what others sent before it, so
   * that the same tests are run again.
   */
  readonly tests: readonly RequirementId[] | null;
}

/** Own suites of a run: with the rows, so that a report can be made again without their files. */
export interface OwnHeader {
  readonly rows: readonly Requirement[];
  /** SHA-256 of the files that held the rows. */
  readonly hash: string;
  /** Whether they decide about the verdict as well. */
  readonly decide: boolean;
}

/** One deviation that a team has agreed to live with for a while. */
export interface AcceptedDeviation {
  readonly requirement: RequirementId;
  readonly outcome: 'failed' | 'warned' | 'inconclusive';
  readonly reason: string;
  /** Where the agreement or the work on it can be read. */
  readonly link: string;
  /** ISO date; the last day on which it is accepted. */
  readonly expires: string;
}

/** Whether a certificate was asked for, and whether a baseline of accepted deviations was given. */
export interface Acceptance {
  readonly certificate: boolean;
  readonly baseline: boolean;
  /** The baseline's entries; logs of kits that did not record them lack it. */
  readonly accepted?: readonly AcceptedDeviation[];
}

/** Why a run cannot start, and what to do. It says nothing about the target's conformity. */
export interface Obstacle {
  readonly code:
    | TransportCode
    | 'key-refused'
    | 'gate'
    | 'redirect'
    | 'rate-limited'
    | 'not-found'
    | 'web-page'
    | 'gateway'
    | 'agents';
  /** The obstacle in a few words, to stand inside a sentence. */
  readonly short: string;
  /** A sentence that goes on from “Cannot start:”. */
  readonly message: string;
  readonly hint: string;
}

/** What preflight found out about the target before anything was judged. */
export interface PreflightFacts {
  readonly reachableMs: number;
  readonly keyAccepted: boolean;
  readonly plan: PlanName;
  /** X-RateLimit-Limit as first seen, as text. */
  readonly limitSeen: string | null;
  /** Server clock less ours, ms; null when there was no usable Date. */
  readonly clockSkewMs: number | null;
  /** Animals seen by the first full listing, and whether that was all. */
  readonly animals: number | null;
  readonly animalsComplete: boolean;
  readonly plannedRequests: number;
  readonly plannedSeconds: number;
  /** Sentences for the reader: what is unusual, and whose affair it is. */
  readonly remarks: readonly string[];
}

/** Latency percentiles in ms, timed from the intended send time. */
export interface LatencySummary {
  readonly count: number;
  readonly min: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

/** How one load profile of one plan went. */
export interface ProfileSummary {
  readonly profile: ProfileName;
  readonly plan: KeyName;
  readonly startedAt: number;
  readonly finishedAt: number;
  /** Requests put on the wire, by the plan whose key they carried. */
  readonly sent: number;
  readonly served: number;
  readonly refused: number;
  /** The allowance that it was measured against. */
  readonly allowance: number;
  readonly latency: LatencySummary | null;
  /** One sentence: what was found. */
  readonly sentence: string;
  readonly marks: readonly ProfileMark[];
}

/** A moment that a chart marks. */
export interface ProfileMark {
  readonly kind: 'first-refusal' | 'retry-after' | 'reset' | 'recovered' | 'ban-begins' | 'ban-ends' | 'window';
  /** Unix ms. */
  readonly at: number;
  readonly text: string;
}

/** A row of a series, flat for compactness: see `sampleToRow`. */
export type SampleRow = readonly [
  operation: string,
  intendedAt: number,
  sentAt: number,
  answeredAt: number,
  status: number,
  limit: Sample['limit'],
  remaining: Sample['remaining'],
  reset: Sample['reset'],
  retryAfter: string | null,
  date: number | null,
];

/** One line of log.ndjson. */
export type LogRecord =
  | LogHeader
  | {
      readonly type: 'phase';
      readonly phase: 'preflight' | 'suites' | 'explore' | 'load' | 'compare' | 'own';
      readonly at: number;
    }
  /** How far exploring has come; the last of them says all. `requests`: by the plan whose key they carried. */
  | {
      readonly type: 'explored';
      readonly seed: number;
      /** Most requests that it was given. */
      readonly asked: number;
      readonly requests: Readonly<Record<string, number>>;
      readonly performed: number;
      /** The paths of the stories that were asked for by name and performed; absent where none were asked for. */
      readonly replayed?: readonly string[];
      readonly classes: readonly Tried[];
      /** Why it ended before its requests were used up; absent where it did not. */
      readonly stopped?: 'limited' | 'unanswered' | 'interrupted';
    }
  | { readonly type: 'preflight'; readonly facts: PreflightFacts }
  /** `kept`: the passive rows that this exchange was judged by and kept. */
  | { readonly type: 'exchange'; readonly exchange: Exchange; readonly kept: readonly RequirementId[] }
  | { readonly type: 'finding'; readonly finding: Finding }
  /** A requirement has been judged to the end; what comes later can only be passive. */
  | { readonly type: 'settled'; readonly requirement: RequirementId }
  /** What went wrong in a file of own suites, whatever the target did. */
  | { readonly type: 'own-problem'; readonly problem: OwnProblem }
  /** An animal that this run added and cannot remove. */
  | { readonly type: 'created'; readonly id: string; readonly name: string }
  /** A pause: for what, until when (Unix ms), in a sentence's words. */
  | { readonly type: 'waiting'; readonly what: string; readonly until: number }
  /** `profile`: or the phase of a scenario. */
  | { readonly type: 'progress'; readonly profile: string; readonly plan: string; readonly text: string }
  /** A piece of a profile's series; several pieces of one profile and plan follow each other. */
  | {
      readonly type: 'series';
      readonly profile: ProfileName;
      readonly plan: KeyName;
      readonly rows: readonly SampleRow[];
    }
  /** Load answers that kept a passive row, counted. */
  | {
      readonly type: 'tally';
      readonly requirement: RequirementId;
      readonly kept: number;
      /** Which answers they were, as `getPet 404`, where other records do not tell. */
      readonly answers?: readonly string[];
      readonly profile: ProfileName | 'explore' | 'capacity';
    }
  | { readonly type: 'profile'; readonly summary: ProfileSummary }
  | CapacityRecord
  | {
      readonly type: 'footer';
      readonly complete: boolean;
      readonly reason: string | null;
      readonly finishedAt: string;
      /** What kept the run from starting; absent where it started. */
      readonly obstacle?: Obstacle;
      /** What broke down in the kit itself, with its stack: it says nothing about any requirement. Absent where nothing did. */
      readonly fault?: string;
    };
