import type { LoadPlan } from '../../drive/profiles/plan-load.js';
import type { ReasonCode, Reason } from '../../judge/findings/finding.js';
import type { RequirementResult } from '../results/results.js';
import { grouped } from '../../base/kernel/format.js';
import { asShared } from './as-started.js';
import type { Part } from '../../base/interface/names.js';

export interface ReasonGroup<Row extends RequirementResult = RequirementResult> {
  readonly code: ReasonCode;
  /** Text to follow a colon, without a full stop. */
  readonly text: string;
  readonly remedy: string | null;
  readonly requirements: readonly Row[];
}

export const UNJUDGED: Reason = { code: 'nothing-judged', text: 'no response in this run shows it' };

/** Concerns two targets, so a single run cannot judge it (part 9). */
const OF_TWO_TARGETS = 'environments-agree';

/** Groups rows by reason, most frequent first; equal counts in the order of the rows. */
export const byReason = <Row extends RequirementResult>(rows: readonly Row[]): readonly ReasonGroup<Row>[] =>
  [...grouped(rows, (row) => `${codeOf(row)} ${reasonText(row)}`).values()]
    .map((requirements) => {
      const [first] = requirements;
      return { code: codeOf(first), text: reasonText(first), remedy: remedyOf(first), requirements };
    })
    .toSorted((one, other) => other.requirements.length - one.requirements.length);

const MOST_OF_A_KIND = 2;

/** Groups rows by reason; merges a kind of reason with many wordings. */
export const byKindOfReason = <Row extends RequirementResult>(
  rows: readonly Row[],
): readonly ReasonGroup<Row>[] =>
  [...grouped(byReason(rows), ({ code, remedy }) => `${code} ${remedy}`).values()].flatMap((groups) => {
    const [first] = groups;
    if (groups.length <= MOST_OF_A_KIND) return groups;
    const requirements = rows.filter((row) => groups.some((group) => group.requirements.includes(row)));
    return [{ ...first, text: reasonWords(first.code), requirements }];
  });

const codeOf = ({ reason = UNJUDGED }: RequirementResult): ReasonCode => reason.code;

/** To follow "could not be determined:" or "not tested:", without a full stop. */
export function reasonText({ reason = UNJUDGED }: Pick<RequirementResult, 'reason'>): string {
  const { code, text } = reason.code === UNJUDGED.code ? UNJUDGED : reason;
  const bare = text.replace(/\.$/, '');
  return bare === '' ? reasonWords(code) : bare;
}

/** Null where no run against this target can judge the row. */
export const remedyOf = ({
  id,
  part,
  reason = UNJUDGED,
}: Pick<RequirementResult, 'id' | 'part' | 'reason'>): string | null =>
  OWN_REMEDIES[id]?.[reason.code] ??
  (part === LIMITS ? LIMITS_REMEDIES[reason.code] : undefined) ??
  REASONS[reason.code][1];

/**
 * Returns whether a row is out of scope in every single run: no request can show it, or it needs two targets.
 * Reports of one run may only count such rows.
 */
export const isBeyondOneRun = ({ id, outcome, reason }: RequirementResult): boolean =>
  outcome === 'not-applicable' &&
  (reason?.code === 'untestable' || (id === OF_TWO_TARGETS && reason?.code === 'opt-in'));

/** Nothing more is said of such a row than that. */
export const isUnselected = ({ reason }: Pick<RequirementResult, 'reason'>): boolean =>
  reason?.code === 'not-selected';

/** Each reason in two or three words, for small spaces, and its remedy. */
const REASONS: Readonly<Record<ReasonCode, readonly [words: string, remedy: string | null]>> = {
  'not-selected': ['not selected', 'run without the selection'],
  'no-key': ['no key', 'give a key of that plan'],
  'writes-off': ['writes off', 'allow writes'],
  'opt-in': ['opt-in', 'add the option; it costs a key, or the requests of a day'],
  production: ['production', 'test staging, or allow load on production'],
  'keys-shared': ['shared keys', 'use keys without other users, and declare them exclusive'],
  'removal-date': ['not at this date', 'run again after that date'],
  'store-too-large': ['store too large', null],
  'listings-cut-short': ['listings cut short', 'let a listing hold as many animals as its limit allows'],
  'store-too-small': ['store too small', 'add animals to the store, or allow writes where they are off'],
  thrift: ['too many requests', 'run again with a key of a larger plan'],
  untestable: ['no request can show it', null],
  'not-observed': ['did not occur', null],
  'beyond-traffic': [
    'traffic cannot show it',
    `judge the service with ${asShared('petstore-conformance run')}`,
  ],
  'file-missing': [
    'a body is in a file that was not read',
    'put the file next to the HAR file, and run again',
  ],
  'did-not-end': ['the client did not end', 'make the client end by itself, and run again'],
  prerequisite: ['prerequisite missing', 'fix what it depends on and run again'],
  'too-little-data': ['too little data', 'run again while nobody changes the animals'],
  'slow-responses': [
    'responses too slow',
    'run the kit nearer to the server, on a less busy machine, or make the server respond faster',
  ],
  'machine-busy': ['this machine was too busy', 'run again on an idle machine'],
  'rate-limited': ['rate limited', 'run again with a key without other users'],
  transport: ['no response', 'run again; if it happens again, find out why the server does not respond'],
  'body-too-large': [
    'body too large',
    'set http.maxBodyBytes in the target file above the size of that response, and run again',
  ],
  untrusted: [
    'connection not trusted',
    'make every connection show a certificate that is trusted, and run again',
  ],
  'key-refused': ['key refused', 'correct the key and run again'],
  'keys-swapped': ['keys swapped', 'check which plan each key belongs to, and run again'],
  'server-stopped': ['server stopped', 'find out why the server stopped, and run again'],
  'own-limit': ['limit of this machine', 'raise the limit of this machine, and run again'],
  unavailable: ['service unavailable', 'run again when the service is available'],
  'headers-missing': [
    'rate headers missing',
    'make every response carry readable rate headers, and run again',
  ],
  'clock-unknown': ['clock unknown', 'make the target send a Date header'],
  'refused-legally': ['refused, as permitted', 'run again when the target accepts those requests'],
  interrupted: ['cut short', 'let the run finish'],
  'not-started': ['not started', 'fix the problem that prevents the start'],
  'nothing-judged': ['not exercised', 'fix what failed, or select more, and run again'],
  'not-retried': ['not retried', 'run everything again'],
  'own-suite': ['error in an own suite', 'fix the test and run again'],
};

/**
 * Returns why a load sends nothing for some requirements, a sentence each. A reason that concerns only some
 * plans names these: “the plans Pro and Business (no key was given)”.
 */
export const leftOutSentences = ({ findings }: Pick<LoadPlan, 'findings'>): readonly string[] => [
  ...new Set(
    findings.flatMap((finding) => {
      if (!('reason' in finding)) return [];
      const { text } = finding.reason;
      return [text.startsWith('the plan') ? `No load for ${text}.` : text];
    }),
  ),
];

/** Reasons that lie in the run itself, and that reports say once and first. */
const OF_THE_RUN: ReadonlySet<ReasonCode> = new Set([
  'key-refused',
  'keys-swapped',
  'server-stopped',
  'own-limit',
]);

export const isOfTheRun = (code: ReasonCode): boolean => OF_THE_RUN.has(code);

export const reasonWords = (code: ReasonCode): string => REASONS[code][0];

const OWN_REMEDIES: Readonly<Record<string, Readonly<Partial<Record<ReasonCode, string>>>>> = {
  [OF_TWO_TARGETS]: {
    'opt-in': 'compare the runs of two targets',
    'too-little-data': 'compare two runs that judged the same requirements',
    interrupted: 'compare two runs that ran to their end',
  },
  'rate-day-quota': {
    prerequisite: 'give the key of a plan whose day can be used up at its limit per minute',
    interrupted: 'run again, and let the day be used up',
    'rate-limited': 'run again with a key whose day is unused',
    thrift: 'give the key of a smaller plan',
    'too-little-data': 'run again at another time of day, with a key whose day is unused',
  },
};

/** Part 8, the rate limit: there animals make no difference, and a busy machine has its own reason. */
export const LIMITS: Part = 8;
const LIMITS_REMEDIES: Readonly<Partial<Record<ReasonCode, string>>> = {
  'too-little-data': 'run again; the next window may show it',
  'rate-limited': 'run again with a key that nobody else uses, and whose day is not used up',
  thrift: 'run again with a key whose day is unused, or with fewer profiles',
  // A response with a status code that is neither a success nor 429 spoils a question, too.
  transport: 'run again; if it happens again, find out why those requests failed',
};
