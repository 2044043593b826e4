import {
  count,
  list,
  loose,
  map,
  optional,
  moment,
  number,
  object,
  oneOf,
  orNull,
  text,
  truth,
  type Of,
  type Tagged,
} from '../base/kernel/shape.js';
import { CAPACITY_RECORDS } from './capacity-record.js';
import { HEADER } from './header-record.js';
import type { Sample } from '../judge/limits/sample.js';
import { profileNames, type ProfileName } from '../base/interface/names.js';
import { ofCells, quoted, redacted, redactedBy, type Redaction } from '../wire/exchange/redaction.js';
import {
  ids,
  key,
  long,
  longs,
  operation,
  plan,
  requirement,
  requirements,
  redactedText,
} from '../wire/exchange/shapes.js';
import {
  clientExchange,
  trafficEnd,
  trafficFacts,
  type ClientExchange,
} from '../wire/exchange/client-exchange.js';
import { withoutSecrets } from '../wire/exchange/secrets.js';
import { exchange, type TransportCode } from '../wire/exchange/types.js';
import { finding } from '../judge/findings/shape.js';

/** Phases of a run that a log names, in their order. */
export type PhaseName = 'preflight' | 'suites' | 'load' | 'explore' | 'own';

const profile = oneOf(profileNames);

/** Reason why a run cannot start, with a remedy. It says nothing about the target's conformity. */
export type Obstacle = Of<typeof obstacle>;
const obstacle = object({
  code: text<
    | TransportCode
    | 'key-refused'
    | 'gate'
    | 'redirect'
    | 'rate-limited'
    | 'not-found'
    | 'web-page'
    | 'gateway'
    | 'agents'
    | 'no-animal'
  >(),
  /** The obstacle in a few words, for use inside a sentence. */
  short: long,
  /** Sentence that follows “Cannot start:”. */
  message: redactedText,
  hint: long,
});

export type PreflightFacts = Of<typeof facts>;
const facts = object({
  reachableMs: number,
  keyAccepted: truth,
  /** Status code of the first listing, null without a readable response; absent in older logs. */
  status: optional(orNull(count)),
  plan,
  /** First Limit header received, as text. */
  limitSeen: orNull(redactedText),
  /** Server clock minus local clock, ms; null without a usable Date. */
  clockSkewMs: orNull(number),
  /** Animals in the first full listing, and whether it was complete. */
  animals: orNull(count),
  animalsComplete: truth,
  plannedRequests: count,
  /** The planned requests and seconds are the most that are possible, as of a search; absent otherwise. */
  plannedIsMost: optional(oneOf([true])),
  plannedSeconds: number,
  /** Requests that the key has left, fewer than planned, and time until its limit resets; absent for enough. */
  shortage: optional(object({ left: count, seconds: number })),
  /**
   * Connections that the server ended without notice, under a request or soon after a response; absent for
   * none.
   */
  connections: optional(object({ deaths: count, closings: count })),
  /** Remarks for the reader: what is unusual, and who should act. */
  remarks: list(redactedText),
});

/** Latency percentiles in ms, timed from the intended send time. */
export type LatencySummary = Of<typeof latency>;
const latency = object({ count, min: number, p50: number, p90: number, p99: number, max: number });

export type ProfileMark = Of<typeof mark>;
const mark = object({
  kind: text<
    'first-refusal' | 'retry-after' | 'reset' | 'at-once' | 'recovered' | 'ban-begins' | 'ban-ends' | 'window'
  >(),
  /** Unix ms. */
  at: moment,
  text: redactedText,
});

export type ProfileSummary = Of<typeof summary>;
const summary = object({
  profile,
  plan: key,
  startedAt: moment,
  finishedAt: moment,
  /** Requests sent, by the plan of their key. */
  sent: count,
  served: count,
  refused: count,
  /** Allowance used for the comparison. */
  allowance: number,
  latency: orNull(latency),
  sentence: redactedText,
  marks: list(mark),
});

/** Members of a sample in the order of its row. */
export const CELLS = [
  'operation',
  'intendedAt',
  'sentAt',
  'answeredAt',
  'status',
  'limit',
  'remaining',
  'reset',
  'retryAfter',
  'date',
] as const satisfies readonly (keyof Sample)[];
/** A sample as a flat, compact row: see `sampleToRow`. */
export type SampleRow = RowOf<typeof CELLS>;
type RowOf<Names extends readonly (keyof Sample)[]> = { readonly [At in keyof Names]: Sample[Names[At]] };
const cell = { type: ['number', 'string', 'null'] };
const row = redacted(
  loose<SampleRow>({
    type: 'array',
    minItems: CELLS.length,
    maxItems: CELLS.length,
    prefixItems: [operation, moment, moment, moment, count, cell, cell, cell, cell, cell],
  }),
  ofCells,
);

export type Tried = Of<typeof tried>;
const tried = object({
  /** Kind: `names`, `categories`, `pairs`, `states` and so on. */
  kind: text(),
  class: text(),
  /** 0 where too few requests were left. */
  tried: count,
  served: count,
});

export type OwnProblem = Of<typeof ownProblem>;
const ownProblem = object({
  message: redacted(long, quoted),
  file: optional(text()),
  line: optional(count),
  requirement: optional(text()),
});

/** End of the command under test: observations, which decide nothing. */
export type CommandEnd = Of<typeof commandEnd>;
const commandEnd = object({
  /** Exit code; absent for one that a signal ended. */
  exitCode: optional(number),
  timedOut: optional(truth),
  /** What it printed, redacted, its beginning and end. */
  output: redactedText,
});

/** Records of log.ndjson by type: one a line. */
export const RECORDS = {
  header: HEADER,
  phase: object({ phase: text<PhaseName>(), at: moment }),
  /** Progress of exploring; the last record is complete. */
  explored: object({
    seed: number,
    /** Most requests allowed. */
    asked: count,
    /** By the plan of their key. */
    requests: map(count),
    performed: count,
    /** Number of attempts of each class of values, pair, and operation in a state. */
    classes: list(tried),
    /**
     * Animals from before the run that listings showed, and those that were fetched; absent without fetches,
     * and in a replay.
     */
    residents: optional(object({ shown: count, fetched: count })),
    /** Paths of the stories replayed by name; absent without any. */
    replayed: optional(longs),
    /** Reason for an early end; absent where all requests were used. */
    stopped: optional(text<'limited' | 'unanswered' | 'interrupted'>()),
  }),
  preflight: object({ facts }),
  /** `kept`: passive rows that this exchange satisfied. */
  exchange: object({ exchange, kept: requirements }),
  finding: object({ finding }),
  /** A requirement is fully judged; only passive findings can follow. */
  settled: object({ requirement }),
  /** An error in a file of own suites, independent of the target. */
  'own-problem': object({ problem: ownProblem }),
  /** An animal that this run created and cannot delete. */
  created: object({ id: redactedText, name: redacted(long, quoted) }),
  /** A pause: its reason, its end (Unix ms), in words for a sentence. */
  waiting: object({ what: long, until: number }),
  /** A circumstance of the run that its reader should know, as a clause; it decides nothing. */
  remark: object({ text: redactedText }),
  /** `profile`: or phase of a scenario. `until`: when what it names should be over, Unix ms. */
  progress: object({ profile: text(), plan: text(), text: redactedText, until: optional(number) }),
  /** Part of a profile's series; parts of one profile and plan follow each other. */
  series: object({ profile, plan: key, rows: list(row) }),
  /** Number of load responses that satisfied a passive row. */
  tally: object({
    requirement,
    kept: count,
    profile: text<ProfileName | 'explore' | 'capacity'>(),
    /** The responses, as `getPet 404`, where no other record names them. */
    answers: optional(ids),
  }),
  profile: object({ summary }),
  ...CAPACITY_RECORDS,
  /** Start of a record of a client's traffic; `nth` counts them from 1, and names the record in the others. */
  traffic: object({ nth: count, facts: trafficFacts }),
  'client-exchange': object({ nth: count, exchange: redacted(clientExchange, ofClientExchange) }),
  'traffic-end': object({ nth: count, end: trafficEnd, command: optional(commandEnd) }),
  /** Requests of a record that are not the client's, by reason. */
  'left-out': object({ nth: count, entries: count, reasons: map(count) }),
  footer: object({
    complete: truth,
    reason: orNull(redactedText),
    /** True if the load scenario's own rule ended the run. */
    aborted: optional(truth),
    finishedAt: text(),
    /** Obstacle that prevented the start; absent where the run started. */
    obstacle: optional(obstacle),
    /** Error in the kit itself, with its stack; says nothing about any requirement. Absent without one. */
    fault: optional(redactedText),
  }),
};

type Records = Tagged<typeof RECORDS>;
export type LogHeader = Records['header'];
export type LogRecord = Records[keyof Records];

/** Removes secrets that a record names, whichever way it came here. */
function ofClientExchange(...[exchange, redact]: Parameters<Redaction<ClientExchange>>): ClientExchange {
  return redactedBy(clientExchange, withoutSecrets(exchange), redact);
}
