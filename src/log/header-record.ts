import type { PlanName, Requirement, RequirementId } from '../base/interface/types.js';
import { profileNames, type ClientScenario, type RunProfile } from '../base/interface/names.js';
import {
  array,
  closed,
  count,
  described,
  list,
  loose,
  map,
  number,
  object,
  oneOf,
  optional,
  orNull,
  someText,
  string,
  text,
  truth,
  type Of,
} from '../base/kernel/shape.js';
import { growing } from '../base/kernel/tolerant.js';
import { ofAddress, redacted } from '../wire/exchange/redaction.js';
import { ids, key, long, plan, requirement, requirements, redactedText } from '../wire/exchange/shapes.js';
import { SUBJECT } from '../wire/targets/subject.js';
import type { KeyPlaces } from '../wire/targets/target.js';

/** Format of the log. A reader rejects any other. */
export const LOG_SCHEMA_VERSION = 1;

/** Selection of a run. An absent member restricts nothing. */
export type Selection = Of<typeof selection>;
const selection = object({
  only: optional(text<'suites' | 'load'>()),
  requirements: optional(ids),
  profiles: optional(list(text<RunProfile>())),
  plans: optional(list(text<PlanName>())),
  lastFailed: optional(truth),
  /** Only the burst and the way back are asked of the limits. */
  quick: optional(truth),
  /** Replays only one exploring story, `SEED:PATH`. */
  replay: optional(text()),
  clientScenarios: optional(list(text<ClientScenario>())),
  /** Name of a load scenario. The run sends only that scenario, and judges its responses. */
  scenario: optional(redacted(text())),
  /** Of older kits: part of a load run, as `2/4`. */
  part: optional(text()),
});

/** Evidence of a requirement's failure in an earlier run. */
export type Retry = Of<typeof retry>;
const retry = object({
  requirement,
  /** Start of that run, ISO instant. */
  since: text(),
  /**
   * Requests, as `kindOfRequest` returns them, each with the requirement whose test sent it; null where
   * unknown.
   */
  requests: list(
    loose<readonly [kind: string, test: RequirementId | null]>({ type: 'array', minItems: 2, maxItems: 2 }),
  ),
  /** Load profiles, and the keys they used. */
  profiles: list(oneOf(profileNames)),
  keys: list(key),
  /** Exploring stories, `SEED:PATH`. */
  stories: ids,
});

export type Retries = Of<typeof retries>;
const retries = object({
  rows: list(retry),
  /** Requirements whose tests ran then and run again; null for all. */
  tests: orNull(requirements),
});

/** Own suites of a run, with their rows: a report can be rendered again without their files. */
export type OwnHeader = Of<typeof own>;
const own = object({
  rows: list(loose<Requirement>(object({ id: text(), statement: optional(redactedText) }))),
  /** SHA-256 of the files with the rows. */
  hash: text(),
  decide: truth,
});

const REQUIREMENT_ID = '^[a-z0-9]+(-[a-z0-9]+)*$';

/** One deviation that a team accepts for a limited time: in a baseline, a log and results. */
export type AcceptedDeviation = Of<typeof ACCEPTED_DEVIATION>;
export const ACCEPTED_DEVIATION = closed({
  requirement: described('An id of the ledger.', string<RequirementId>({ pattern: REQUIREMENT_ID })),
  outcome: described(
    'The outcome that is accepted in place of a pass.',
    growing(oneOf(['failed', 'warned', 'inconclusive'])),
  ),
  found: optional(
    described(
      'The kinds of the findings that are accepted, as results.json names them; any other finding of the requirement is a ' +
        'new failure. Without it every finding is accepted.',
      array(redacted(someText), { minItems: 1 }),
    ),
  ),
  heldUpBy: optional(
    described(
      'The broken requirements that kept an inconclusive one from being judged. While one of them fails, the ' +
        'requirement may also pass.',
      array(string<RequirementId>({ pattern: REQUIREMENT_ID }), { minItems: 1 }),
    ),
  ),
  reason: described('Why it is accepted.', redacted(someText)),
  link: described('Where its mending is tracked.', redacted(string({ pattern: '^https?://' }))),
  expires: described(
    'The last day on which it is accepted, as YYYY-MM-DD.',
    string({ pattern: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' }),
  ),
});

export type Acceptance = Of<typeof acceptance>;
const acceptance = object({
  certificate: truth,
  baseline: truth,
  /** Entries of the baseline; absent in older logs. */
  accepted: optional(list(ACCEPTED_DEVIATION)),
});

const ofCi = optional(redacted(string()));
/** A build of a CI system: see `ciOf`. */
export const CI = {
  system: string(),
  commit: ofCi,
  branch: ofCi,
  build: ofCi,
  number: ofCi,
  name: ofCi,
  url: ofCi,
  repository: ofCi,
  repositoryUrl: ofCi,
};

export type Side = 'service' | 'client';

/** First record of every log: identifies the run, its target and its settings. */
export const HEADER = object({
  schemaVersion: loose<typeof LOG_SCHEMA_VERSION>(count),
  /** Eight hexadecimal digits, used in User-Agent, traceparent and names of created animals. */
  run: text(),
  kit: object({ name: text(), version: text() }),
  interface: object({ version: text(), removalDate: text() }),
  /** SHA-256 of the files of contract and ledger. */
  contract: text(),
  ledger: text(),
  target: object({
    name: redacted(text()),
    baseUrl: redacted(text(), ofAddress),
    /** Seconds. */
    windows: object({ minute: number, day: number }),
    production: truth,
    exclusive: truth,
    /** Requests per minute and per day of the plans in scope. */
    figures: loose<Partial<Record<PlanName, { readonly perMinute: number; readonly perDay: number }>>>(
      map(object({ perMinute: count, perDay: count })),
    ),
    /** Places where a shell finds each key; absent in older logs. */
    keyPlaces: optional(loose<KeyPlaces>(map(object({ variable: optional(long), file: optional(long) })))),
  }),
  scope: object({
    /** Plans whose key was given. */
    plans: list(plan),
    suiteKey: plan,
    selection: orNull(selection),
    selected: orNull(requirements),
    writes: truth,
    /** Day for which the deprecated operation is judged, ISO date. */
    asOf: text(),
    includes: list(text<'ban' | 'day-quota'>()),
    /** Sides that the run judges; absent for only the service. */
    sides: optional(list(text<Side>())),
  }),
  startedAt: text(),
  command: redactedText,
  /** Acceptance conditions beyond the verdict; absent in older logs. */
  acceptance: optional(acceptance),
  label: optional(redactedText),
  ci: optional(object(CI)),
  /** Artefacts that the operator says were tested; absent where none was named. */
  subject: optional(list(SUBJECT)),
  own: optional(own),
  /** Evidence of the failures that this run repeats; absent where it repeats none. */
  retries: optional(retries),
  /** Time limit of the run, seconds; absent without one. */
  mostSeconds: optional(number),
});
