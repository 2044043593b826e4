import { keyNames, planNames } from '../../base/interface/names.js';
import {
  array,
  closed,
  described,
  loose,
  map,
  number,
  object,
  type Of,
  oneOf,
  optional,
  published,
  refined,
  someText,
  string,
  truth,
} from '../../base/kernel/shape.js';
import { CAPACITY } from '../../loadkit/capacity-shape.js';
import { ACCEPTED_DEVIATION, CI, type Selection } from '../../log/header-record.js';
import type { Obstacle, ProfileSummary } from '../../log/record.js';
import { key } from '../../wire/exchange/shapes.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { SUBJECT } from '../../wire/targets/subject.js';
import {
  amount,
  positive,
  whole,
  day,
  moment,
  verdict,
  counts,
  requirement,
  exchange,
} from './requirement-shape.js';
import { cause, baselineProblem, side, traffic, own, explored } from './part-shapes.js';

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
      described('The build of the server, as --label names it; absent without that option.', someText),
    ),
    ci: optional(
      described(
        'The build of the CI system in which the run took place: GitHub Actions, GitLab CI, Azure Pipelines or Jenkins; ' +
          "absent outside one. The commit is the pipeline's, which need not be the server's.",
        closed(CI),
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
        array(ACCEPTED_DEVIATION),
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
        'Results by side of the wire, of a run that judges a client; absent in a run that judges only the service.',
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
