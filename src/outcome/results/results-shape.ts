import { keyNames, levels, partNumber, planNames } from '../../base/interface/names.js';
import type { RequirementId } from '../../base/interface/types.js';
import {
  added,
  anything,
  array,
  closed,
  described,
  either,
  implies,
  integer,
  loose,
  map,
  mixed,
  nothing,
  number,
  object,
  type Of,
  oneOf,
  optional,
  published,
  refined,
  type Shape,
  someText,
  string,
  truth,
} from '../../base/kernel/shape.js';
import { growing } from '../../base/kernel/tolerant.js';
import type { Finding, ReasonCode } from '../../judge/findings/finding.js';
import { type Outcome, VERDICTS, WORST_FIRST } from '../../judge/verdict.js';
import { CAPACITY } from '../../loadkit/capacity-shape.js';
import type { Selection } from '../../log/header-record.js';
import type { Obstacle, ProfileSummary } from '../../log/record.js';
import { key } from '../../wire/exchange/shapes.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { SUBJECT } from '../../wire/targets/subject.js';

const amount = integer(0);
const positive = refined(number, { exclusiveMinimum: 0 });
const whole: Shape<number> = { type: 'integer' };
const day = string({ format: 'date' });
const moment = string({ format: 'date-time' });
const ids = array(someText);
const requirementId = string<RequirementId>();
const verdict = oneOf(VERDICTS);
const counts = described(
  'How many requirements had each outcome.',
  closed(
    Object.fromEntries(WORST_FIRST.map((outcome) => [outcome, amount])) as Readonly<
      Record<Outcome, Shape<number>>
    >,
  ),
);

const STORY = {
  replay: described(
    'SEED:PATH, for --replay.',
    string({ pattern: '^-?[0-9]+(?:[:,](?:[0-9]+|pets/-?[0-9]+))*$' }),
  ),
  steps: array(string()),
  exchanges: ids,
  seen: amount,
  of: amount,
};

const finding = closed({
  message: someText,
  expected: optional(string()),
  actual: optional(string()),
  kind: optional(
    described(
      'What was found, in words that stay the same from run to run: operation, class of request, and what was wrong. ' +
        'Comparisons and baselines rest on it. Absent in results of earlier kits, and for faults of the kit.',
      someText,
    ),
  ),
  exchanges: ids,
  story: optional(
    described(
      'The requests that show a violation which exploring found, and how to perform them again.',
      object(STORY),
    ),
  ),
});

/** A violation. `plan` and `measured` are not in results.json. */
export type ResultFinding = Of<typeof finding> &
  Pick<Extract<Finding, { kind: 'violated' }>, 'plan' | 'measured'>;

export type RequirementResult = Of<typeof requirement>;
const requirement = refined(
  object({
    id: string<RequirementId>({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
    level: oneOf(levels),
    part: partNumber,
    statement: someText,
    outcome: oneOf(WORST_FIRST),
    reason: optional(
      described(
        'Why it was not judged, or not to the end.',
        closed({ code: string<ReasonCode>({ pattern: '^[a-z]+(-[a-z]+)*$' }), text: someText }),
      ),
    ),
    acceptedUntil: optional(
      described(
        'The last day on which the baseline accepts this outcome; absent where it does not.',
        string(),
      ),
    ),
    heldUpBy: optional(
      described('The broken requirements that kept this one from being judged.', array(requirementId)),
    ),
    partly: optional(
      described(
        'What was not tried of a requirement that passed; absent where all was.',
        array(someText, { minItems: 1, uniqueItems: true }),
      ),
    ),
    observed: optional(
      described(
        'What was seen where the interface leaves the choice to the service.',
        array(closed({ subject: optional(string()), value: string(), exchanges: ids })),
      ),
    ),
    durationMs: optional(
      described(
        'How long the run took for what this row asked for first, waiting included; absent where it asked for nothing that ' +
          'another had not.',
        refined(whole, { exclusiveMinimum: 0 }),
      ),
    ),
    findings: described('What was violated.', array(loose<ResultFinding>(finding))),
    evidence: added(described('Number of responses that support the outcome.', loose<number>(anything))),
  }),
  {
    allOf: [
      implies(
        { properties: { outcome: oneOf(['failed', 'warned', 'error']) } },
        { properties: { findings: { type: 'array', minItems: 1 } } },
      ),
      implies(
        { properties: { outcome: oneOf(['inconclusive', 'not-applicable']) } },
        { required: ['reason'] },
      ),
      implies({ required: ['partly'] }, { properties: { outcome: oneOf(['passed']) } }),
      implies({ properties: { outcome: oneOf(['failed']) } }, { properties: { level: oneOf(['must']) } }),
    ],
  },
);

const headers = array(
  described('Name and value, as they went over the wire.', array(string(), { minItems: 2, maxItems: 2 })),
);

const exchange = described(
  'A request and its answer; $PETSTORE_KEY stands where a key stood.',
  object({
    id: someText,
    sentAt: described('Unix time in milliseconds.', number),
    latencyMs: refined(number, { minimum: 0 }),
    attempts: optional(integer(1)),
    request: object({ method: string(), path: string(), headers, body: mixed(string(), nothing) }),
    answer: either(
      object({ kind: oneOf(['response']), status: whole, headers, text: string() }),
      object({ kind: oneOf(['none']), code: string(), message: string() }),
    ),
  }),
);

/** A cause in the run itself, which explains many rows: it is said once and first, and they follow from it. */
export type RunCause = Of<typeof cause>;
const cause = closed({
  code: growing(
    oneOf(['key-refused', 'keys-swapped', 'server-stopped', 'own-limit', 'rate-limited', 'unavailable']),
  ),
  // A sentence without its full stop, or a question.
  text: string(),
  hint: string(),
  requirements: array(requirementId),
});

const accepted = closed({
  requirement: requirementId,
  outcome: growing(oneOf(['failed', 'warned', 'inconclusive'])),
  found: optional(
    described('The kinds of findings that are accepted; absent where any is.', array(string())),
  ),
  reason: string(),
  link: string(),
  expires: string(),
});

/**
 * Problem that prevents acceptance. `expired`, `stale`, `unmatched` and `other-finding` concern an entry of
 * the baseline, `unaccepted` a deviation without an entry, `incomplete` and `nothing-judged` the whole run.
 */
export type BaselineProblem = Of<typeof baselineProblem>;
const baselineProblem = object({
  kind: growing(
    oneOf(['expired', 'stale', 'unmatched', 'other-finding', 'unaccepted', 'incomplete', 'nothing-judged']),
  ),
  id: described('The requirement; null for the whole run.', mixed(string(), nothing)),
  message: someText,
});

export type SideResults = Of<typeof side>;
const side = closed({
  side: growing(oneOf(['service', 'client'])),
  verdict,
  clean: optional(described('As of the run, for this side.', truth)),
  counts,
  requirements: array(requirementId),
});

/** Number of recorded requests, of a run that judges a client. */
export type TrafficResults = Of<typeof traffic>;
const traffic = closed({
  // Of a run with the reference server or the proxy, all requests.
  entries: amount,
  inScope: amount,
  from: optional(
    described('When the first of these requests began, by the record; absent without times.', moment),
  ),
  to: optional(described('When the last response ended.', moment)),
  leftOut: described('Entries that are not requests of the client, by reason.', map(amount, {})),
  masked: optional(
    described('Names of headers, parameters and body members whose values are masked.', array(string())),
  ),
});

export type OwnResults = Of<typeof own>;
const own = closed({
  decide: described("Whether they decide about the run's verdict as well.", truth),
  verdict: described('Of these requirements alone, whatever they decide.', verdict),
  withoutThem: described("Of the interface's requirements alone.", verdict),
  counts,
  requests: described("How many requests their tests sent; the run's requests hold them as well.", amount),
  requirements: array(requirement),
  problems: described(
    'What went wrong in their files, which says nothing about the target.',
    array(
      closed({
        message: someText,
        file: optional(string()),
        line: optional(whole),
        requirement: optional(string()),
      }),
    ),
  ),
});

/** Result of exploring. The same seed on the same target repeats it. */
export type ExploredResults = Of<typeof explored>;
const explored = closed({
  seed: whole,
  asked: described('The most requests that it was given.', amount),
  requests: described('Those that it sent.', amount),
  stopped: optional(
    described(
      'Why it ended before its requests were used up.',
      growing(oneOf(['limited', 'unanswered', 'interrupted'])),
    ),
  ),
  stories: described(
    'The shortest stories that show a violation, each with its requirement.',
    array(object({ ...STORY, requirement: requirementId, message: string() })),
  ),
  classes: described(
    'How often each class of values, pair and operation in a state was tried, and served; 0 where it was left out for want of ' +
      'requests.',
    array(closed({ kind: someText, class: someText, tried: amount, served: amount })),
  ),
  residents: optional(
    described(
      'The animals from before the run that listings showed, and how many of them were fetched; absent without fetches.',
      closed({ shown: amount, fetched: amount }),
    ),
  ),
});

export type Results = Of<typeof RESULTS>;
export const RESULTS = published(
  'results.json of petstore-conformance',
  'What one run found out about one target. Names of this version stay as they are; a change of meaning raises schemaVersion.',
  closed({
    schemaVersion: oneOf([1]),
    verdict,
    clean: optional(
      described(
        'True for traffic of others (proxy, judge) that shows required behaviours, of which none is violated or ' +
          'left open. Traffic never conforms: the verdict is inconclusive, and the exit code 0. Absent otherwise.',
        truth,
      ),
    ),
    kit: object({ name: string(), version: string() }),
    interface: object({ version: string() }),
    target: object({
      name: string(),
      baseUrl: string(),
      windows: described(
        "How long the limits' windows are, in seconds.",
        closed({ minute: positive, day: positive }),
      ),
    }),
    scope: object({
      plans: array(oneOf(planNames), { uniqueItems: true }),
      selection: described(
        'What was asked for on the command line; null when everything was.',
        loose<Selection | null>({ type: ['object', 'null'] }),
      ),
      writes: truth,
      asOf: described('The day that the deprecated operation was judged for.', day),
    }),
    label: optional(
      described(
        'The build of the server, in the words of whoever started the run; absent where nobody said.',
        someText,
      ),
    ),
    ci: optional(
      described(
        'The build of the CI system in which the run took place: GitHub Actions, GitLab CI, Azure Pipelines or Jenkins; ' +
          "absent outside one. The commit is the pipeline's, which need not be the server's.",
        closed({
          system: string(),
          commit: optional(string()),
          branch: optional(string()),
          build: optional(string()),
          number: optional(string()),
          name: optional(string()),
          url: optional(string()),
          repository: optional(string()),
          repositoryUrl: optional(string()),
        }),
      ),
    ),
    subject: optional(
      described(
        'What the operator says was tested, each with its digest; absent where nobody said. The run measured only the address.',
        array(SUBJECT, { minItems: 1 }),
      ),
    ),
    startedAt: moment,
    finishedAt: moment,
    durationMs: refined(number, { minimum: 0 }),
    obstacle: optional(
      described(
        'What kept the run from starting, and what to do; absent where it started. Nothing was judged then.',
        closed({ code: string<Obstacle['code']>(), message: string(), hint: string() }),
      ),
    ),
    cause: optional(
      described(
        'A cause in the run itself of what it left open: a key that was refused, keys that look swapped, a server that ' +
          'stopped, a limit of this machine. Absent without one.',
        cause,
      ),
    ),
    clockOffMs: optional(
      described(
        'The clock of the target minus that of this machine, ms; absent unless it is wrong by more than a minute.',
        whole,
      ),
    ),
    remarks: optional(
      described(
        'Circumstances of the run that its reader should know, a clause each: a host that got another address, a server ' +
          'that was unavailable for a moment. They decide nothing. Absent without any.',
        array(string()),
      ),
    ),
    complete: described('False when the run was cut off.', truth),
    fault: optional(
      described(
        'What broke down in the kit itself, with its stack; absent where nothing did. The verdict is error then, and no ' +
          'requirement is charged with it.',
        string(),
      ),
    ),
    accepted: optional(
      described(
        'The deviations that a baseline accepts on the day of the run, and that occurred; absent where none did. The verdict ' +
          'stays what it is.',
        array(accepted),
      ),
    ),
    baseline: optional(
      described(
        'Whether exactly the accepted deviations occurred, on the day of the run; absent without a baseline.',
        object({ met: truth, problems: array(baselineProblem) }),
      ),
    ),
    counts,
    requests: described(
      'What was put on the wire.',
      closed({
        total: amount,
        byKey: map(amount, {
          propertyNames: oneOf([...keyNames, 'anonymous']),
          required: ['anonymous'],
        }),
      }),
    ),
    requirements: array(requirement),
    sides: optional(
      described(
        'Results by side of the wire, of a run that judges a client; absent in a run of the service alone.',
        array(side, { minItems: 1 }),
      ),
    ),
    traffic: optional(described('Recorded requests, of a run that judges a client.', traffic)),
    exchanges: described('Those that findings name.', array(loose<Exchange>(exchange))),
    load: described(
      'One entry for each load profile and plan that ran.',
      array(loose<ProfileSummary>(object({ profile: string(), plan: key }))),
    ),
    own: optional(
      described(
        "Suites of somebody's own, apart from the interface's requirements; absent where none were run.",
        own,
      ),
    ),
    explored: optional(
      described(
        'What exploring tried and found; absent where nothing was explored. The same seed tries the same on the same target.',
        explored,
      ),
    ),
    capacity: optional(
      described(
        'Of a load run: what was sent, how it was answered, and which thresholds were kept. Absent in any other.',
        CAPACITY,
      ),
    ),
  }),
);
