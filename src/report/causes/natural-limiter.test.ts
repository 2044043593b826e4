import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../../judge/findings/finding.js';
import { exampleResults } from '../example-run.test.support.js';
import { likelyCauses } from './likely.js';
import { RATE_HEADERS } from '../../base/interface/rate-headers.js';
import { violation, limiterCauses, ANEW, TOGETHER } from './natural-causes.test.support.js';

const ONE_MORE = violation('rate-concurrent', { most: 2, got: 3, what: ['left'] });

for (const [what, findings, measurements] of [
  ['a tenth too many', [violation('rate-429', { most: 60, got: 66 })], [['burst', 'free', 66, 1, 60]]],
  [
    'an operation that is counted, and not refused',
    [violation('rate-429', { most: 60, got: 61 }), violation('rate-all-operations', { what: ['createPet'] })],
    [['burst', 'free', 61, 1, 60]],
  ],
  [
    'one of two servers without a limiter',
    [
      violation('rate-429', { most: 90, got: 101 }),
      violation('rate-remaining-counts', { most: 60, got: 101, what: ['beyond'] }),
    ],
    [['burst', 'free', 120, 1, 60]],
  ],
  [
    'a window of a half',
    [violation('rate-window', { most: 121, got: 147, what: ['windows'] })],
    [['burst', 'free', 60, 1, 60]],
  ],
  [
    'one too many at once, which may be a race',
    [ONE_MORE, violation('rate-429', { most: 60, got: 61 })],
    [['burst', 'free', 60, 1, 60]],
  ],
  ['no limiter', [violation('rate-429', { most: 60, got: 125 })], [['burst', 'free', 125, 0, 60]]],
  [
    'a counter for each connection',
    [violation('rate-concurrent', { most: 7, got: 0, what: ['parallel'] })],
    [['burst', 'free', 125, 0, 60]],
  ],
  [
    'Remaining that falls by two',
    [TOGETHER, violation('rate-remaining-counts', { most: 29, got: 58, what: ['tooFast'] })],
    [['burst', 'free', 60, 1, 60]],
  ],
  [
    'one too few, with Remaining at 1',
    [violation('rate-remaining-counts', { most: 60, got: 59, what: ['short'] })],
    [['burst', 'free', 59, 1, 60]],
  ],
  [
    'one server of two without a limiter',
    [
      violation('rate-window', { most: 600, got: 601, what: ['windows'] }),
      violation('rate-all-operations', { what: ['exempt', 'uncounted', 'listPets'] }),
    ],
    [['burst', 'free', 122, 1, 60]],
  ],
  [
    'a counter of each process, with a part of the limit',
    [
      violation('rate-all-operations', { what: ['exempt', 'uncounted', 'createPet'] }),
      violation('rate-not-early', { most: 0, got: 4, what: ['steady'] }),
    ],
    [['burst', 'free', 15, 1, 60]],
  ],
  ['Remaining that starts anew at creations only', ANEW, [['burst', 'free', 60, 1, 60]]],
  [
    'every operation with a limit of its own',
    [
      violation('rate-429', { most: 60, got: 66 }),
      violation('rate-all-operations', { what: ['exempt', 'getPet'] }),
    ],
    [['burst', 'free', 66, 1, 60]],
  ],
] as const)
  test(`no cause is named where two would fit: ${what}`, () =>
    assert.deepEqual(limiterCauses(findings, measurements), []));

const SHARED: readonly Finding[] = [
  violation('rate-per-key', { what: ['refused'] }, 'refused with 429'),
  violation('rate-not-early', { most: 300, got: 60, what: ['steady'] }),
];

const OF_FREE = violation(
  'rate-limit-value',
  { most: 300, got: 60 },
  `${RATE_HEADERS.limit}: 60 on 9 of 9 responses`,
);

for (const [what, findings, name, rows, says] of [
  [
    'one limit for all keys',
    [...SHARED, OF_FREE],
    'counted-by-address',
    ['rate-limit-value', 'rate-per-key', 'rate-not-early'],
    /^All keys share one allowance of 60, as a limit per address does\. .*\(refused with 429\)/,
  ],
  [
    'keys with their own limits',
    SHARED,
    'refusal-of-all-keys',
    ['rate-per-key', 'rate-not-early'],
    /^A refused key takes the others with it, as a limit per address does\./,
  ],
] as const)
  test(`a limit per address is one cause of all rows that show it: ${what}`, () => {
    const [cause, ...others] = likelyCauses(exampleResults({ findings }), []);
    assert.deepEqual([cause?.name, cause?.rows, others], [name, rows, []]);
    assert.match(cause?.title ?? '', says);
  });

test('no limit per address is named where another key was served', () =>
  assert.deepEqual(likelyCauses(exampleResults({ findings: [OF_FREE] }), []), []));

const PART = { most: 30, got: 60, what: ['beyond', 'apart'] };
const EARLY = violation('rate-not-early', { most: 0, got: 8, what: ['steady'] });

for (const [what, findings, measurements, says] of [
  [
    'two processes',
    [violation('rate-remaining-counts', PART, undefined, 'free'), EARLY],
    [['burst', 'free', 60, 1, 60]],
    /^Each of 2 .*30 of 60, and 60 are allowed/,
  ],
  [
    'two processes, and a plan whose Remaining jumps',
    [
      violation('rate-remaining-counts', { ...PART, what: ['beyond'] }, undefined, 'free'),
      violation('rate-remaining-counts', { most: 9, got: 144, what: ['several'] }, undefined, 'pro'),
      EARLY,
    ],
    [['burst', 'free', 60, 1, 60]],
    /^Each of 2 .*30 of 60, and 60 are allowed/,
  ],
  [
    'three processes, and two plans of which one has no clear counters',
    [
      violation('rate-remaining-counts', { ...PART, most: 20, got: 58 }, undefined, 'free'),
      violation('rate-remaining-counts', { most: 100, got: 287, what: ['beyond'] }, undefined, 'pro'),
      EARLY,
    ],
    [
      ['burst', 'free', 58, 1, 60],
      ['burst', 'pro', 287, 1, 300],
    ],
    /^Each of 3 .*20 of 60, and 58 are allowed/,
  ],
] as const)
  test(`processes that each count a part of the limit are one cause: ${what}`, () => {
    const [cause, ...others] = limiterCauses(findings, measurements);
    assert.deepEqual(
      [cause?.name, cause?.rows, others],
      ['parts-that-count-apart', ['rate-remaining-counts', 'rate-not-early'], []],
    );
    assert.match(cause?.title ?? '', says);
  });

for (const [what, measured, more] of [
  ['one counter', { ...PART, what: ['beyond'] }, []],
  ['another share', { ...PART, most: 34 }, []],
  ['more than the limit', { ...PART, got: 66 }, [violation('rate-429', { most: 60, got: 66 })]],
  ['a limit that the headers name', PART, [violation('rate-limit-value', { most: 60, got: 30 })]],
] as const)
  test(`no parts of processes are named where Remaining begins too low: ${what}`, () =>
    assert.deepEqual(
      limiterCauses(
        [violation('rate-remaining-counts', measured, undefined, 'free'), ...more],
        [['burst', 'free', measured.got, 1, 60]],
      ),
      [],
    ));
