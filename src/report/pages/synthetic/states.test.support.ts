import type { RequirementId } from '../../../base/interface/types.js';
import type { Finding } from '../../../judge/findings/finding.js';
import { catalogueOf } from '../../../drive/explore/coverage.js';
import type { LogRecord } from '../../../log/record.js';
import type { Comparison, PageInput } from '../input.js';
import { heavyLoad, wholeLoad } from './load.test.support.js';
import { START } from '../../example-header.test.support.js';
import { exampleResults, notApplicable } from '../../example-run.test.support.js';
import { animals, exchangeOf, inputOf, ROWS, severalObservations } from './run.test.support.js';
import { RATE_HEADERS } from '../../../base/interface/rate-headers.js';

/** All states in which the page must look good, by name. */
export const STATES = {
  'all-green': () => inputOf({ load: wholeLoad(), findings: severalObservations() }),

  'one-failure': () =>
    inputOf({
      load: wholeLoad(),
      findings: [...severalObservations(), DEFAULT_LIMIT],
      exchanges: failingExchanges(54),
      comparison: comparedWith([
        { id: 'list-limit-default', kind: 'newly-failing', before: 'passed', after: 'failed' },
        { id: 'auth-challenge', kind: 'newly-passing', before: 'warned', after: 'passed' },
        { id: 'list-order', kind: 'observation-changed', before: 'by id', after: 'by name' },
      ]),
    }),

  'forty-failures': () =>
    inputOf({
      load: wholeLoad(),
      exchanges: failingExchanges(54),
      findings: [
        ...severalObservations(),
        ...ROWS.filter(({ level, judgedBy }) => level === 'must' && judgedBy.kind !== 'nobody')
          .slice(0, 40)
          .flatMap(({ id }, index) => manyWrongs(id, index)),
        ...ROWS.filter(({ level }) => level === 'should').map(({ id }): Finding => warning(id)),
        ...OPEN,
      ],
      target: { exclusive: false },
      preflight: {
        clockSkewMs: -90_400,
        remarks: [
          "the target's clock is 1 min 30 s behind this machine's; times are judged in the target's time",
          'The store changed while it was listed.',
        ],
      },
    }),

  inconclusive: () =>
    inputOf({
      findings: [
        ...severalObservations(),
        ...OPEN,
        ...(['rate-429', 'rate-window', 'rate-not-early', 'rate-concurrent'] as const).map((id) =>
          notApplicable(id, 'no-key', 'no key of any plan but Business was given'),
        ),
      ],
      scope: { plans: ['business'], writes: false, asOf: '2030-12-01' },
    }),

  'passed-in-part': () =>
    inputOf({
      load: wholeLoad(),
      findings: [
        ...severalObservations(),
        ...(['list-limit-default', 'list-page-full'] as const).flatMap((requirement): Finding[] => [
          { kind: 'kept', requirement, exchanges: ['x1', 'x2'] },
          { kind: 'untried', requirement, what: 'the filter sold (21 animals are needed, 12 are there)' },
        ]),
        { kind: 'kept', requirement: 'list-shows-created', exchanges: ['x1', 'x2'] },
        notApplicable(
          'list-shows-created',
          'store-too-large',
          'the store holds more animals than one listing of 100 can show',
        ),
      ],
    }),

  interrupted: () =>
    inputOf({
      judged: 24,
      exchanges: failingExchanges(20),
      findings: [DEFAULT_LIMIT, STORY],
      load: [EXPLORED],
      footer: { type: 'footer', complete: false, reason: 'interrupted by SIGINT', finishedAt: iso(2_140) },
    }),

  'not-started': () =>
    inputOf({
      judged: 0,
      exchanges: failingExchanges(1),
      findings: [],
      footer: {
        type: 'footer',
        complete: false,
        reason: 'it refuses the key',
        finishedAt: iso(140),
        obstacle: {
          code: 'key-refused',
          short: 'it refuses the key',
          message: 'https://staging.example.com/v1 refused the Business key (401).',
          hint: 'Check PETSTORE_STAGING_BUSINESS_KEY: it must hold a key that this address accepts.',
        },
      },
    }),

  'no-footer': () => inputOf({ judged: 24, footer: null, proof: null }),

  'load-only': () => {
    const load = ROWS.filter(({ judgedBy }) => judgedBy.kind === 'load' || judgedBy.kind === 'passive').map(
      ({ id }) => id,
    );
    return inputOf({
      load: wholeLoad(),
      exchanges: [],
      findings: [],
      scope: { selection: { only: 'load' }, selected: load },
      target: { windows: { minute: 2, day: 20 } },
    });
  },

  'two-hundred': () =>
    inputOf({
      load: wholeLoad(),
      exchanges: failingExchanges(200),
      findings: [
        ...severalObservations(),
        {
          kind: 'violated',
          requirement: 'rate-headers-present',
          message: 'staging leaves out the rate headers on 200 of 200 answers.',
          expected: `${RATE_HEADERS.limit}, ${RATE_HEADERS.remaining}, ${RATE_HEADERS.reset}`,
          actual: `${RATE_HEADERS.limit}, ${RATE_HEADERS.remaining}`,
          exchanges: Array.from({ length: 200 }, (_, index) => `x${index + 1}`),
        },
        DEFAULT_LIMIT,
      ],
    }),

  'kit-fault': () =>
    inputOf({
      findings: [{ kind: 'fault', requirement: 'list-ok', message: 'TypeError: pets is not iterable' }],
    }),

  heavy: () => inputOf({ load: heavyLoad(100_000) }),
} satisfies Record<string, () => PageInput>;

export type StateName = keyof typeof STATES;

const iso = (ms: number): string => new Date(START + ms).toISOString();

const DEFAULT_LIMIT: Finding = {
  kind: 'violated',
  requirement: 'list-limit-default',
  message: 'staging returns 25 animals when no limit is given.',
  expected: 'at most 20 animals, as many as limit=20 returned: 20',
  actual: 'at most 25 animals, as many as limit=25 returned: 25',
  exchanges: ['x1', 'x2'],
};

const OPEN: readonly Finding[] = [
  ...(['list-filter-with-limit', 'list-status-filter'] as const).map((requirement): Finding => ({
    kind: 'inconclusive',
    requirement,
    reason: { code: 'store-too-small', text: 'the store holds no sold animal, and writes are off' },
    exchanges: ['x3'],
  })),
  {
    kind: 'inconclusive',
    requirement: 'get-ok',
    reason: { code: 'transport', text: 'the connection was reset twice before an answer came' },
    exchanges: [],
  },
];

const warning = (requirement: RequirementId): Finding => ({
  kind: 'violated',
  requirement,
  message: 'staging answers in a way that a standard advises against.',
  exchanges: ['x4'],
});

function manyWrongs(requirement: RequirementId, index: number): Finding[] {
  const wrong = (number: number): Finding => ({
    kind: 'violated',
    requirement,
    // Faults of their own: rows with equal findings would be one.
    message: `staging answers 422 to a request whose fault ${requirement} declares to be a 400 (case ${number}).`,
    expected: '400 with an Error: code, message, status 400',
    actual: `422 with {"detail":[{"loc":["body","${requirement}"],"msg":"field required"}]}`,
    exchanges: [`x${(index % 50) + 1}`, `x${((index + 9) % 50) + 1}`],
  });
  return Array.from({ length: 1 + (index % 3) }, (_, number) => wrong(number + 1));
}

const failingExchanges = (amount: number) =>
  Array.from({ length: amount }, (_, index) =>
    exchangeOf(index + 1, index % 4 === 0 ? animals(100) : undefined),
  );

const comparedWith = (changes: Comparison['changes']): Comparison => ({
  against: { ...exampleResults(), startedAt: '2026-11-19T10:00:00.000Z' },
  changes,
});

/** Result of an interrupted exploration: a story of several requests, one with the target's text. */
const STORY: Finding = {
  kind: 'violated',
  requirement: 'create-invalid-value',
  message: '“POST /pets, with categoryId an array” got 201',
  expected: '400',
  actual: '201',
  exchanges: ['x1'],
  story: {
    replay: '7:5:0:1',
    steps: [
      'GET /v1/pets?limit=1 → 200, 24 times',
      `POST /v1/pets {"name":"${'<b>'.repeat(60)}","categoryId":[1]} → 201`,
    ],
    exchanges: ['x1', 'x2'],
    seen: 2,
    of: 2,
  },
};

const SCOPE = { writes: true, fetches: true };

const EXPLORED: LogRecord = {
  type: 'explored',
  seed: 7,
  asked: 400,
  requests: { anonymous: 40, business: 80 },
  performed: 31,
  classes: catalogueOf(SCOPE).flatMap(([kind, names], at) =>
    names.map((name, nth) => ({ kind, class: name, tried: (nth * (at + 1)) % 4, served: nth % 2 })),
  ),
  stopped: 'interrupted',
};
