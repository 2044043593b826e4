import { classed, mostly, type Choice, type Classed } from './value.js';

/** JSON to replace each valid member; `null` leaves the member out. */
export interface Change {
  readonly name?: string | null;
  readonly categoryId?: string | null;
  readonly status?: string | null;
}

/** A creation to be refused, with its row; a row of the ledger's open ones means any response. */
export interface Wrong {
  readonly row: 'create-invalid-value' | 'create-missing-field' | 'create-malformed-json' | 'create-unknown-member';
  readonly change: Change;
  /** Text around the object, which replaces each `@`. */
  readonly around?: string;
  /** Members to append, as written, e.g. `"owner":1`. */
  readonly further?: string;
}

type WrongClass = Choice<Classed<Wrong>> & { readonly name: string };

const wrongClass = (name: string, values: Choice<Wrong>): WrongClass => ({ name, ...classed(name, values) });

const invalid = (...changes: readonly [Change, ...Change[]]): Choice<Wrong> =>
  mostly(...(changes.map((change) => ({ row: 'create-invalid-value', change })) as [Wrong, ...Wrong[]]));

const missing = (change: Change, ...furthers: readonly string[]): Choice<Wrong> => {
  const [first, ...others] = furthers.map((further): Wrong => ({ row: 'create-missing-field', change, further }));
  return mostly(first ?? { row: 'create-missing-field', change }, ...others);
};

const surrounded = (row: Wrong['row'], ...ways: readonly [string, ...string[]]): Choice<Wrong> => {
  const [first, ...others] = ways;
  const wrong = (around: string): Wrong => ({ row, change: {}, around });
  return mostly(wrong(first), ...others.map(wrong));
};

/**
 * A single member with another type or value than part 2 gives it, with every JSON type for each. It is outside the interface,
 * and must get 400 (part 4). Integers with a point or an exponent are left out: the ledger leaves them open.
 */
const VALUES: readonly WrongClass[] = [
  wrongClass('name an array', invalid({ name: '["Rex"]' }, { name: '[]' })),
  wrongClass('name an object', invalid({ name: '{"first":"Rex"}' }, { name: '{}' }, { name: '{"toString":"x"}' })),
  wrongClass('name a boolean', invalid({ name: 'true' }, { name: 'false' })),
  wrongClass('name a number or null', invalid({ name: '0' }, { name: 'null' }, { name: '1.5' }, { name: '-1' })),
  wrongClass('categoryId an array', invalid({ categoryId: '[1]' }, { categoryId: '[1,2]' })),
  wrongClass('categoryId an empty array', invalid({ categoryId: '[]' })),
  wrongClass('categoryId an object', invalid({ categoryId: '{}' }, { categoryId: '{"id":1}' })),
  wrongClass('categoryId false', invalid({ categoryId: 'false' }, { categoryId: 'true' })),
  wrongClass(
    'categoryId digits in quotes',
    invalid({ categoryId: '"1"' }, { categoryId: '"0"' }, { categoryId: '" 1 "' }),
  ),
  wrongClass('categoryId an empty text', invalid({ categoryId: '""' }, { categoryId: '" "' })),
  wrongClass('categoryId a word', invalid({ categoryId: '"abc"' }, { categoryId: '"1e0"' }, { categoryId: '"NaN"' })),
  wrongClass(
    'categoryId with a small fraction',
    invalid({ categoryId: '1.0000001' }, { categoryId: '0.5' }, { categoryId: '-0.5' }),
  ),
  wrongClass(
    'categoryId just beyond int64',
    invalid({ categoryId: '9223372036854775808' }, { categoryId: '-9223372036854775809' }),
  ),
  wrongClass('categoryId 2^64 and more', invalid({ categoryId: '18446744073709551617' }, { categoryId: '1e19' })),
  wrongClass('categoryId beyond any double', invalid({ categoryId: '1e400' }, { categoryId: '-1e400' })),
  wrongClass('categoryId null', invalid({ categoryId: 'null' })),
  wrongClass('status in another case', invalid({ status: '"Sold"' }, { status: '"AVAILABLE"' }, { status: '"sOLD"' })),
  wrongClass('status with spaces', invalid({ status: '"sold "' }, { status: '" sold"' })),
  wrongClass('status with a line break', invalid({ status: '"sold\\n"' }, { status: '"sold\\r\\n"' })),
  wrongClass('status empty', invalid({ status: '""' }, { status: '" "' })),
  wrongClass('status a part', invalid({ status: '"sol"' }, { status: '"a"' })),
  wrongClass('status with a suffix', invalid({ status: '"solder"' }, { status: '"pendingx"' })),
  wrongClass('status with a prefix', invalid({ status: '"unsold"' }, { status: '"xpending"' })),
  wrongClass('status an array', invalid({ status: '["sold"]' }, { status: '[]' })),
  wrongClass('status an object', invalid({ status: '{}' }, { status: '{"sold":true}' })),
  wrongClass('status true', invalid({ status: 'true' })),
  wrongClass('status false', invalid({ status: 'false' })),
  wrongClass('status 0', invalid({ status: '0' })),
  wrongClass('status a number', invalid({ status: '2' }, { status: '1' })),
  wrongClass('status null', invalid({ status: 'null' })),
  wrongClass(
    'status a built-in object member',
    invalid({ status: '"constructor"' }, { status: '"toString"' }, { status: '"__proto__"' }),
  ),
  wrongClass('two statuses', invalid({ status: '"sold,pending"' }, { status: '"available|sold"' })),
  wrongClass(
    'status a similar word',
    invalid({ status: '"unavailable"' }, { status: '"adopted"' }, { status: '"reserved"' }),
  ),
];

/** Two wrong members. Each is refused by itself, so both together are too. */
const PAIRS: readonly WrongClass[] = [
  wrongClass(
    'name and categoryId wrong',
    invalid({ name: 'null', categoryId: '"1"' }, { name: '1', categoryId: 'null' }),
  ),
  wrongClass('name and status wrong', invalid({ name: 'null', status: 'null' }, { name: '[]', status: '"SOLD"' })),
  wrongClass(
    'categoryId and status wrong',
    invalid({ categoryId: 'null', status: 'null' }, { categoryId: '[]', status: '[]' }),
  ),
  wrongClass(
    'one missing and one wrong',
    invalid({ name: null, status: '"lost"' }, { categoryId: null, status: 'null' }, { name: null, categoryId: '"1"' }),
  ),
];

/**
 * A required member in the wrong place: under a similar name, or one level too deep. Names in other letter case are left open:
 * they are other members, but many readers accept them.
 */
const MISSING: readonly WrongClass[] = [
  wrongClass('all inside pet', surrounded('create-missing-field', '{"pet":@}', '{"animal":@}', '{"newPet":@}')),
  wrongClass('all inside data', surrounded('create-missing-field', '{"data":@}', '{"body":@}', '{"payload":@}')),
  wrongClass('all inside a member without a name', surrounded('create-missing-field', '{"":@}')),
  wrongClass('a bare number', surrounded('create-invalid-value', '7', '0', '0.5', '-1')),
  wrongClass('a bare boolean', surrounded('create-invalid-value', 'true', 'false')),
  wrongClass('in an array', surrounded('create-invalid-value', '[@]', '[@,@]', '[[@]]')),
  wrongClass('name through __proto__', missing({ name: null }, '"__proto__":{"name":"Rex"}')),
  wrongClass('categoryId through __proto__', missing({ categoryId: null }, '"__proto__":{"categoryId":1}')),
  wrongClass('category instead', missing({ categoryId: null }, '"category":1')),
  wrongClass('category_id instead', missing({ categoryId: null }, '"category_id":1')),
  wrongClass('a category with an id instead', missing({ categoryId: null }, '"category":{"id":1}')),
  wrongClass('a similar name instead', missing({ name: null }, '"petName":"Rex"', '"title":"Rex"')),
  wrongClass('only a status', missing({ name: null, categoryId: null, status: '"sold"' })),
];

/** Broken JSON, which a strict reader refuses (`create-malformed-json`, a should). */
const BROKEN: readonly WrongClass[] = (
  [
    ['another value after it', '@ 1'],
    ['a second object after it', '@@'],
    ['a comment', '/* x */@', '@// x'],
    ['only whitespace', ' \n'],
    ['a comma after it', '@,'],
    ['an extra brace', '@}'],
    ['wrapped in a function call', 'x(@)', '(@)'],
  ] as const satisfies readonly (readonly [string, string, ...string[]])[]
).map(([name, first, ...others]) => wrongClass(name, surrounded('create-malformed-json', first, ...others)));

const BROKEN_INSIDE: readonly WrongClass[] = (
  [
    ['a comma before the brace', '"x":1,'],
    ['single quotes', "'x':1"],
    ['a member without quotes', 'x:1'],
    ['NaN', '"x":NaN'],
    ['a number with a leading zero', '"x":01'],
    ['a number with a plus', '"x":+1'],
    ['a raw line break in a text', '"x":"a\nb"'],
    ['an unknown escape', '"x":"\\q"'],
    ['half an escape', '"x":"\\u12"'],
  ] as const
).map(([name, further]) => wrongClass(name, mostly<Wrong>({ row: 'create-malformed-json', change: {}, further })));

/** All creations to be refused for one wrong thing. */
export const WRONG_CLASSES: readonly WrongClass[] = [...VALUES, ...MISSING, ...BROKEN, ...BROKEN_INSIDE];

/** Creations with two wrong members. */
export const WRONG_PAIRS: readonly WrongClass[] = PAIRS;

const open = (further: string, change: Change = {}): Wrong => ({ row: 'create-unknown-member', change, further });

/**
 * Creations that the interface leaves open: further or repeated members, integers with an exponent, members in another letter
 * case. A service may accept or refuse them. A 5xx warns, and an accepted animal is like any other. A repeated id is a fault,
 * even if the service ignored the member.
 */
export const OPEN_CLASSES: readonly WrongClass[] = [
  wrongClass('an id in the body', mostly(open('"id":@id'))),
  wrongClass('an id in the body as text', mostly(open('"id":"@id"'), open('"_id":@id'))),
  wrongClass(
    'extra members',
    mostly(open('"owner":"Ann"'), open('"tags":[{"a":[]}]'), open('"constructor":1'), open('"$where":"1"')),
  ),
  wrongClass('a member twice', mostly(open('"name":"Twice"'), open('"categoryId":@category'))),
  wrongClass(
    'an integer with an exponent',
    mostly<Wrong>(
      { row: 'create-unknown-member', change: { categoryId: '@category.0' } },
      { row: 'create-unknown-member', change: { categoryId: '@categorye0' } },
      { row: 'create-unknown-member', change: { categoryId: '-0' } },
    ),
  ),
];
