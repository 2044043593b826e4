import type { Finding } from '../findings/finding.js';
import type { Tried } from './explored-classes.js';
import type { CapacityRecord } from './capacity-record.js';
import type { PlanName, Requirement, RequirementId } from '../contract/types.js';
import type { OwnProblem } from './own-problem.js';
import type { Exchange, TransportCode } from '../exchange/types.js';
import type { Sample } from '../limits/sample.js';
import type { KeyName, ProfileName, RunProfile } from '../contract/names.js';
import type { KeyPlaces } from '../targets/keys.js';

/** Format of the log. A reader rejects any other. */
export const LOG_SCHEMA_VERSION = 1;

/** Selection of a run. An absent member restricts nothing. */
export interface Selection {
  readonly only?: 'suites' | 'load';
  readonly requirements?: readonly string[];
  readonly profiles?: readonly RunProfile[];
  readonly plans?: readonly PlanName[];
  readonly lastFailed?: boolean;
  /** Replays only one exploring story, `SEED:PATH`. */
  readonly replay?: string;
  /** Name of a load scenario. The run sends only that scenario, and judges its responses. */
  readonly scenario?: string;
  /** Part of a distributed load run or of sharded suites, as `2/4`. */
  readonly part?: string;
}

/** First record of every log: identifies the run, its target and its settings. */
export interface LogHeader {
  readonly type: 'header';
  readonly schemaVersion: typeof LOG_SCHEMA_VERSION;
  /** Eight hexadecimal digits, used in User-Agent, traceparent and names of created animals. */
  readonly run: string;
  readonly kit: { readonly name: string; readonly version: string };
  readonly interface: { readonly version: string; readonly removalDate: string };
  /** SHA-256 of the files of contract and ledger. */
  readonly contract: string;
  readonly ledger: string;
  readonly target: {
    readonly name: string;
    readonly baseUrl: string;
    /** Seconds. */
    readonly windows: { readonly minute: number; readonly day: number };
    readonly production: boolean;
    readonly exclusive: boolean;
    /** Places where a shell finds each key; absent in older logs. */
    readonly keyPlaces?: KeyPlaces;
    /** Requests per minute and per day of the plans in scope. */
    readonly figures: Partial<Record<PlanName, { readonly perMinute: number; readonly perDay: number }>>;
  };
  readonly scope: {
    /** Plans whose key was given. */
    readonly plans: readonly PlanName[];
    readonly suiteKey: PlanName;
    readonly selection: Selection | null;
    /** Ids in the selection; null without one. */
    readonly selected: readonly RequirementId[] | null;
    readonly writes: boolean;
    /** Day for which the deprecated operation is judged, ISO date. */
    readonly asOf: string;
    readonly includes: readonly ('ban' | 'day-quota')[];
  };
  /** Acceptance conditions beyond the verdict; absent in older logs. */
  readonly acceptance?: Acceptance;
  readonly startedAt: string;
  /** Build of the server, as the user named it; absent where not named. */
  readonly label?: string;
  /** Command line that repeats this run, without keys. */
  readonly command: string;
  /** The user's own suites; absent without them. */
  readonly own?: OwnHeader;
  /** Evidence of the failures that this run repeats; absent where it repeats none. */
  readonly retries?: Retries;
  /** Time limit of the run, seconds; absent without one. */
  readonly mostSeconds?: number;
}

/** Evidence of a requirement's failure in an earlier run. */
export interface Retry {
  readonly requirement: RequirementId;
  /** Start of that run, ISO instant. */
  readonly since: string;
  /** Requests, as `kindOfRequest` returns them, each with the requirement whose test sent it; null where unknown. */
  readonly requests: readonly (readonly [kind: string, test: RequirementId | null])[];
  /** Load profiles, and the keys they used. */
  readonly profiles: readonly ProfileName[];
  readonly keys: readonly KeyName[];
  /** Exploring stories, `SEED:PATH`. */
  readonly stories: readonly string[];
}

/** Evidence of failures in earlier runs. */
export interface Retries {
  readonly rows: readonly Retry[];
  /**
   * Requirements whose tests those runs ran; null for all. Results may depend on earlier requests, so the same tests run
   * again.
   */
  readonly tests: readonly RequirementId[] | null;
}

/** Own suites of a run, with their rows: a report can be rendered again without their files. */
export interface OwnHeader {
  readonly rows: readonly Requirement[];
  /** SHA-256 of the files with the rows. */
  readonly hash: string;
  /** True if they count for the verdict. */
  readonly decide: boolean;
}

/** One deviation that a team accepts for a limited time. */
export interface AcceptedDeviation {
  readonly requirement: RequirementId;
  readonly outcome: 'failed' | 'warned' | 'inconclusive';
  readonly reason: string;
  /** Link to the agreement, or to the work on it. */
  readonly link: string;
  /** Last day on which it is accepted, ISO date. */
  readonly expires: string;
}

/** Requests for a certificate and for a baseline. */
export interface Acceptance {
  readonly certificate: boolean;
  readonly baseline: boolean;
  /** Entries of the baseline; absent in older logs. */
  readonly accepted?: readonly AcceptedDeviation[];
}

/** Reason why a run cannot start, with a remedy. It says nothing about the target's conformity. */
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
  /** The obstacle in a few words, for use inside a sentence. */
  readonly short: string;
  /** Sentence that follows “Cannot start:”. */
  readonly message: string;
  readonly hint: string;
}

/** Facts about the target that preflight found before any judgement. */
export interface PreflightFacts {
  readonly reachableMs: number;
  readonly keyAccepted: boolean;
  readonly plan: PlanName;
  /** First X-RateLimit-Limit received, as text. */
  readonly limitSeen: string | null;
  /** Server clock minus local clock, ms; null without a usable Date. */
  readonly clockSkewMs: number | null;
  /** Animals in the first full listing, and whether it was complete. */
  readonly animals: number | null;
  readonly animalsComplete: boolean;
  readonly plannedRequests: number;
  readonly plannedSeconds: number;
  /** Remarks for the reader: what is unusual, and who should act. */
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

/** Result of one load profile with one plan. */
export interface ProfileSummary {
  readonly profile: ProfileName;
  readonly plan: KeyName;
  readonly startedAt: number;
  readonly finishedAt: number;
  /** Requests sent, by the plan of their key. */
  readonly sent: number;
  readonly served: number;
  readonly refused: number;
  /** Allowance used for the comparison. */
  readonly allowance: number;
  readonly latency: LatencySummary | null;
  readonly sentence: string;
  readonly marks: readonly ProfileMark[];
}

/** A moment marked in a chart. */
export interface ProfileMark {
  readonly kind: 'first-refusal' | 'retry-after' | 'reset' | 'recovered' | 'ban-begins' | 'ban-ends' | 'window';
  /** Unix ms. */
  readonly at: number;
  readonly text: string;
}

/** A sample as a flat, compact row: see `sampleToRow`. */
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
  /** Progress of exploring; the last record is complete. `requests`: by the plan of their key. */
  | {
      readonly type: 'explored';
      readonly seed: number;
      /** Most requests allowed. */
      readonly asked: number;
      readonly requests: Readonly<Record<string, number>>;
      readonly performed: number;
      /** Paths of the stories replayed by name; absent without any. */
      readonly replayed?: readonly string[];
      readonly classes: readonly Tried[];
      /** Reason for an early end; absent where all requests were used. */
      readonly stopped?: 'limited' | 'unanswered' | 'interrupted';
    }
  | { readonly type: 'preflight'; readonly facts: PreflightFacts }
  /** `kept`: passive rows that this exchange satisfied. */
  | { readonly type: 'exchange'; readonly exchange: Exchange; readonly kept: readonly RequirementId[] }
  | { readonly type: 'finding'; readonly finding: Finding }
  /** A requirement is fully judged; only passive findings can follow. */
  | { readonly type: 'settled'; readonly requirement: RequirementId }
  /** An error in a file of own suites, independent of the target. */
  | { readonly type: 'own-problem'; readonly problem: OwnProblem }
  /** An animal that this run created and cannot delete. */
  | { readonly type: 'created'; readonly id: string; readonly name: string }
  /** A pause: its reason, its end (Unix ms), in words for a sentence. */
  | { readonly type: 'waiting'; readonly what: string; readonly until: number }
  /** `profile`: or phase of a scenario. */
  | { readonly type: 'progress'; readonly profile: string; readonly plan: string; readonly text: string }
  /** Part of a profile's series; parts of one profile and plan follow each other. */
  | {
      readonly type: 'series';
      readonly profile: ProfileName;
      readonly plan: KeyName;
      readonly rows: readonly SampleRow[];
    }
  /** Number of load responses that satisfied a passive row. */
  | {
      readonly type: 'tally';
      readonly requirement: RequirementId;
      readonly kept: number;
      /** The responses, as `getPet 404`, where no other record names them. */
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
      /** Obstacle that prevented the start; absent where the run started. */
      readonly obstacle?: Obstacle;
      /** Error in the kit itself, with its stack; says nothing about any requirement. Absent without one. */
      readonly fault?: string;
    };
