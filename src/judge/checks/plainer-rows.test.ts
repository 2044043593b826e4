import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperationName, RequirementId } from '../../base/interface/types.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { about, violated, type Finding } from '../findings/finding.js';
import { exchangeOf } from './exchange.test.support.js';
import { chargedToPlainest, plainerThan } from './plainer-rows.js';
import { answers } from './status.js';

interface Wrong {
  readonly row: RequirementId;
  readonly status: number;
  readonly operation?: OperationName;
  readonly credential?: Exchange['credential'];
  readonly probe?: string;
}

const isListed = ({ row }: Wrong): boolean => row.startsWith('list-');

function shown(wrong: Wrong): readonly [Exchange, Finding] {
  const { row, operation = row.startsWith('create-') ? 'createPet' : 'listPets', ...rest } = wrong;
  const due = isListed(wrong) ? 200 : row.startsWith('auth-') ? 401 : 400;
  const exchange = exchangeOf({
    ...rest,
    operation,
    intent: { kind: 'expects', statuses: [due], chargedTo: row },
  });
  return [exchange, about(row, answers(row, exchange))];
}

/** Rows that stay violated, in order. */
function redOf(all: readonly Wrong[], selected?: readonly RequirementId[]): readonly RequirementId[] {
  const pairs = all.map(shown);
  const findings = chargedToPlainest(
    pairs.map(([, finding]) => finding),
    {
      exchanges: pairs.map(([exchange]) => exchange),
      isJudged: (row) => selected?.includes(row) ?? true,
    },
  );
  return findings.flatMap(({ kind, requirement }) => (kind === 'violated' ? [requirement] : []));
}

const KEYLESS = { credential: { kind: 'none' } } as const;
const under = (manner: string) => ({ credential: { kind: 'invalid', manner } }) as const;

const CASES: readonly (readonly [
  what: string,
  wrong: readonly Wrong[],
  red: readonly RequirementId[],
  selected?: readonly RequirementId[],
])[] = [
  [
    'one wrong status code of refused creations',
    [
      { row: 'create-malformed-json', status: 422 },
      { row: 'create-invalid-value', status: 422 },
      { row: 'create-missing-field', status: 422 },
      { row: 'create-body-required', status: 422 },
    ],
    ['create-missing-field'],
  ],
  [
    'two wrong status codes of refused creations',
    [
      { row: 'create-missing-field', status: 422 },
      { row: 'create-invalid-value', status: 409 },
    ],
    ['create-missing-field', 'create-invalid-value'],
  ],
  [
    'two kinds of wrong creations that are accepted',
    [
      { row: 'create-missing-field', status: 201 },
      { row: 'create-invalid-value', status: 201 },
    ],
    ['create-missing-field', 'create-invalid-value'],
  ],
  [
    'a row whose plainer one was not selected',
    [
      { row: 'auth-missing-key', status: 403, ...KEYLESS },
      { row: 'auth-invalid-key', status: 403, ...under('a strange key') },
    ],
    ['auth-missing-key', 'auth-invalid-key'],
    ['auth-invalid-key'],
  ],
  [
    'one wrong status code of refusals',
    [
      { row: 'auth-missing-key', status: 403, ...KEYLESS },
      { row: 'auth-invalid-key', status: 403, ...under('a strange key') },
      { row: 'auth-bearer-only', status: 403, ...under('Basic') },
    ],
    ['auth-missing-key'],
  ],
  [
    'refusals of different operations',
    [
      { row: 'auth-missing-key', status: 403, ...KEYLESS },
      { row: 'auth-invalid-key', status: 403, operation: 'getPet', ...under('a strange key') },
    ],
    ['auth-missing-key', 'auth-invalid-key'],
  ],
  [
    'a success to everybody',
    [
      { row: 'auth-missing-key', status: 200, ...KEYLESS },
      { row: 'auth-invalid-key', status: 200, ...under('a strange key') },
    ],
    ['auth-missing-key'],
  ],
  [
    'a success to a key cut short, and to a key under Basic',
    [
      { row: 'auth-invalid-key', status: 403, probe: 'strange', ...under('a strange key') },
      { row: 'auth-invalid-key', status: 200, probe: 'cut short', ...under('the key cut short') },
      { row: 'auth-bearer-only', status: 200, ...under('Basic') },
    ],
    ['auth-invalid-key', 'auth-invalid-key', 'auth-bearer-only'],
  ],
  [
    'one wrong status code of listings',
    [
      { row: 'list-limit-bounds', status: 206 },
      { row: 'list-ok', status: 206 },
    ],
    ['list-ok'],
  ],
  [
    'two wrong status codes of listings',
    [
      { row: 'list-limit-bounds', status: 404 },
      { row: 'list-ok', status: 206 },
    ],
    ['list-limit-bounds', 'list-ok'],
  ],
];

for (const [what, wrong, red, selected] of CASES)
  test(`${what}: charged to ${red.join(', ')}`, () => assert.deepEqual(redOf(wrong, selected), red));

test('a row that another one takes the charge from is blocked by it', () => {
  const pairs = (['list-ok', 'list-limit-bounds'] as const).map((row) => shown({ row, status: 206 }));
  const [, bounds] = chargedToPlainest(
    pairs.map(([, finding]) => finding),
    { exchanges: pairs.map(([exchange]) => exchange), isJudged: () => true },
  );
  assert.equal(bounds?.kind === 'inconclusive' && bounds.by, 'list-ok');
});

const partial = (row: RequirementId, shows: readonly Exchange[]): Finding =>
  about(row, violated(shows, 'a response got 206', { expected: '200', actual: '206' }));

test('traffic of others, which does not say what it expects, is charged alike', () => {
  const intent = { kind: 'declared', statuses: [] } as const;
  const [plain, filtered, fetched] = [
    exchangeOf({ intent, status: 206 }),
    exchangeOf({ intent, status: 206 }),
    exchangeOf({ intent, status: 206, operation: 'getPet' }),
  ];
  const charged = chargedToPlainest(
    [
      partial('declared-status', [filtered]),
      partial('declared-status', [filtered, fetched]),
      partial('list-ok', [plain]),
    ],
    { exchanges: [plain, filtered, fetched], isJudged: () => true },
  );
  assert.deepEqual(
    charged.map(({ kind }) => kind),
    ['inconclusive', 'violated', 'violated'],
  );
});

test('a finding about something else than a status code stays', () => {
  const [exchange, finding] = shown({ row: 'create-missing-field', status: 422 });
  const other = about('create-invalid-value', violated([exchange], 'an animal was added'));
  const findings = [finding, other];
  assert.deepEqual(chargedToPlainest(findings, { exchanges: [exchange], isJudged: () => true }), findings);
});

test('the plainer rows of a row are those before it in its chain', () => {
  assert.deepEqual(plainerThan('auth-bearer-only'), ['auth-missing-key', 'auth-invalid-key']);
  assert.deepEqual(plainerThan('auth-missing-key'), []);
  assert.deepEqual(plainerThan('create-each-status'), ['create-ok']);
});
