import * as fc from 'fast-check';
import { classed, mostly, type Classed } from './value.js';

/** Each member's JSON in place of a sound one; `null` leaves the member out. */
export interface Change {
  readonly name?: string | null;
  readonly categoryId?: string | null;
  readonly status?: string | null;
}

/** A creation that has to be refused, by the row that says so; what the interface leaves open has `open` rows. */
export interface Wrong {
  readonly row: 'create-invalid-value' | 'create-missing-field' | 'create-malformed-json' | 'create-unknown-member';
  readonly change: Change;
  /** Wraps the object, which stands where `@` does; further members stand before `@`'s closing brace as `+`. */
  readonly around?: string;
  /** Members behind the others, as they are written, e.g. `"owner":1`. */
  readonly further?: string;
}

type WrongClass = { readonly name: string; readonly values: fc.Arbitrary<Classed<Wrong>> };

const wrongClass = (name: string, values: fc.Arbitrary<Wrong>): WrongClass => ({ name, values: classed(name, values) });

const invalid = (...changes: readonly [Change, ...Change[]]): fc.Arbitrary<Wrong> =>
  mostly(...(changes.map((change) => ({ row: 'create-invalid-value', change })) as [Wrong, ...Wrong[]]));

const missing = (change: Change, rest: Partial<Wrong> = {}): fc.Arbitrary<Wrong> =>
  fc.constant({ row: 'create-missing-field', change, ...rest });

/**
 * A single member of another type or value than part 2 gives it, every JSON type in the place of each: outside the
 * interface, and to be refused with 400 (part 4). An integer that is written with a point or an exponent is left out: the
 * ledger leaves it open.
 */
const VALUES: readonly WrongClass[] = [
  wrongClass('name an array', invalid({ name: '["Rex"]' }, { name: '[]' })),
  wrongClass('name an object', invalid({ name: '{"first":"Rex"}' }, { name: '{}' }, { name: '{"toString":"x"}' })),
  wrongClass('name a boolean', invalid({ name: 'true' }, { name: 'false' })),
  wrongClass('name a number or null', invalid({ name: '0' }, { name: 'null' }, { name: '1.5' }, { name: '-1' })),
  wrongClass('categoryId an array', invalid({ categoryId: '[1]' }, { categoryId: '[]' })),
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
  wrongClass(
    'categoryId 2^64 and more',
    invalid({ categoryId: '18446744073709551617' }, { categoryId: '1e19' }, { categoryId: '1e400' }),
  ),
  wrongClass('categoryId null', invalid({ categoryId: 'null' })),
  wrongClass('status in another case', invalid({ status: '"Sold"' }, { status: '"AVAILABLE"' }, { status: '"sOLD"' })),
  wrongClass('status with blanks', invalid({ status: '"sold "' }, { status: '" sold"' }, { status: '"sold\\n"' })),
  wrongClass('status empty', invalid({ status: '""' }, { status: '" "' })),
  wrongClass('status a part or more', invalid({ status: '"sol"' }, { status: '"solder"' }, { status: '"unsold"' })),
  wrongClass('status an array', invalid({ status: '["sold"]' }, { status: '[]' })),
  wrongClass('status an object', invalid({ status: '{}' }, { status: '{"sold":true}' })),
  wrongClass('status a boolean', invalid({ status: 'true' }, { status: 'false' })),
  wrongClass('status a number', invalid({ status: '0' }, { status: '1' }, { status: '2' })),
  wrongClass('status null', invalid({ status: 'null' })),
  wrongClass(
    'status a member of every object',
    invalid({ status: '"constructor"' }, { status: '"toString"' }, { status: '"__proto__"' }),
  ),
  wrongClass('status two at once', invalid({ status: '"sold,pending"' }, { status: '"available|sold"' })),
  wrongClass(
    'status a word nearby',
    invalid({ status: '"unavailable"' }, { status: '"adopted"' }, { status: '"reserved"' }),
  ),
];

/** Two members wrong at once: where each alone is refused, both together are. */
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
 * A required member that is not where it should be: another member of a like name, or the whole one level too deep. A
 * member of another letter case is another member; that readers take it all the same is so common that it is left open.
 */
const MISSING: readonly WrongClass[] = [
  wrongClass(
    'all one level too deep',
    fc.oneof(
      missing({}, { around: '{"pet":@}' }),
      missing({}, { around: '{"data":@}' }),
      missing({}, { around: '{"":@}' }),
    ),
  ),
  wrongClass(
    'no object at all',
    fc
      .constantFrom('true', 'false', '7', '0.5')
      .map((around): Wrong => ({ row: 'create-invalid-value', change: {}, around })),
  ),
  wrongClass('in an array', fc.constant({ row: 'create-invalid-value', change: {}, around: '[@]' })),
  wrongClass('name by way of __proto__', missing({ name: null }, { further: '"__proto__":{"name":"Rex"}' })),
  wrongClass(
    'categoryId by way of __proto__',
    missing({ categoryId: null }, { further: '"__proto__":{"categoryId":1}' }),
  ),
  wrongClass(
    'a like member instead',
    fc.oneof(
      missing({ categoryId: null }, { further: '"category":1' }),
      missing({ categoryId: null }, { further: '"category_id":1' }),
      missing({ categoryId: null }, { further: '"category":{"id":1}' }),
      missing({ name: null }, { further: '"petName":"Rex"' }),
    ),
  ),
  wrongClass('status alone', missing({ name: null, categoryId: null, status: '"sold"' })),
];

/** Broken JSON, which a strict reader refuses (`create-malformed-json`, a should). */
const BROKEN: readonly WrongClass[] = (
  [
    ['another value behind', '@ 1'],
    ['a second object behind', '@@'],
    ['a comment', '/* x */@'],
    ['nothing but blanks', ' \n'],
    ['something too many around', '@,', '@}', 'x(@)'],
  ] as const
).map(([name, ...ways]) =>
  wrongClass(
    name,
    fc.constantFrom<Wrong>(
      ...ways.map((around) => ({ row: 'create-malformed-json' as const, change: {}, around }) satisfies Wrong),
    ),
  ),
);

const BROKEN_INSIDE: readonly WrongClass[] = (
  [
    ['a comma before the brace', '"x":1,'],
    ['single quotes', "'x':1"],
    ['a member without quotes', 'x:1'],
    ['NaN', '"x":NaN'],
    ['a number with a nought before', '"x":01'],
    ['a number with a plus', '"x":+1'],
    ['a raw line break in a text', '"x":"a\nb"'],
    ['an escape that there is not', '"x":"\\q"'],
    ['half an escape', '"x":"\\u12"'],
  ] as const
).map(([name, further]) =>
  wrongClass(name, fc.constant({ row: 'create-malformed-json', change: {}, further } satisfies Wrong)),
);

/** All creations that have to be refused. */
export const WRONG_CLASSES: readonly WrongClass[] = [...VALUES, ...PAIRS, ...MISSING, ...BROKEN, ...BROKEN_INSIDE];

const open = (further: string, change: Change = {}): Wrong => ({ row: 'create-unknown-member', change, further });

/**
 * Creations that the interface leaves open: further members, members twice, integers with an exponent, members in
 * another case. They may be taken or refused; a 5xx warns, and what is taken is an animal like any other. An id that the
 * service gives twice is a fault whether the member was ignored or not.
 */
export const OPEN_CLASSES: readonly WrongClass[] = [
  wrongClass('an id of its own', mostly(open('"id":@id'), open('"id":"@id"'), open('"_id":@id'))),
  wrongClass(
    'further members, or one twice',
    mostly(
      open('"owner":"Ann"'),
      open('"tags":[{"a":[]}]'),
      open('"constructor":1'),
      open('"$where":"1"'),
      open('"name":"Twice"'),
      open('"categoryId":@category'),
    ),
  ),
  wrongClass(
    'an integer with an exponent',
    mostly<Wrong>(
      { row: 'create-unknown-member', change: { categoryId: '@category.0' } },
      { row: 'create-unknown-member', change: { categoryId: '@categorye0' } },
      { row: 'create-unknown-member', change: { categoryId: '-0' } },
    ),
  ),
];
