import { classesOf, mostly, mostlyOf, type Choice } from './value.js';

/** JSON to replace each valid member; `null` leaves the member out. */
interface Change {
  readonly name?: string | null;
  readonly categoryId?: string | null;
  readonly status?: string | null;
}

/** A creation to be refused, with its row; a row of the ledger's open ones means any response. */
export interface WrongBody {
  readonly row:
    | 'create-invalid-value'
    | 'create-missing-field'
    | 'create-malformed-json'
    | 'create-unknown-member';
  readonly change: Change;
  /** Text around the object, which replaces each `@`. */
  readonly around?: string;
  /** Members to append, as written, e.g. `"owner":1`. */
  readonly further?: string;
}

const invalidBoth = mostlyOf((change: Change): WrongBody => ({ row: 'create-invalid-value', change }));

const invalid = (member: keyof Change, ...texts: readonly [string, ...string[]]): Choice<WrongBody> =>
  mostlyOf((json: string): WrongBody => ({ row: 'create-invalid-value', change: { [member]: json } }))(
    ...texts,
  );

const missing = (change: Change, ...furthers: readonly [string, ...string[]]): Choice<WrongBody> =>
  mostlyOf((further: string): WrongBody => ({ row: 'create-missing-field', change, further }))(...furthers);

const surrounded = (row: WrongBody['row'], ...ways: readonly [string, ...string[]]): Choice<WrongBody> =>
  mostlyOf((around: string): WrongBody => ({ row, change: {}, around }))(...ways);

const broken = (...ways: readonly [string, ...string[]]) => surrounded('create-malformed-json', ...ways);

const brokenBy = (further: string) =>
  mostly<WrongBody>({ row: 'create-malformed-json', change: {}, further });

const open = mostlyOf((further: string): WrongBody => ({
  row: 'create-unknown-member',
  change: {},
  further,
}));

const openCategory = mostlyOf((categoryId: string): WrongBody => ({
  row: 'create-unknown-member',
  change: { categoryId },
}));

/**
 * A single member with another type or value than part 2 gives it, with every JSON type for each. It is
 * outside the interface, and must get 400 (part 4). Integers with a point or an exponent are left out: the
 * ledger leaves them open.
 */
const VALUES = classesOf<WrongBody>({
  'name an array': invalid('name', '["Rex"]', '[]'),
  'name an object': invalid('name', '{"first":"Rex"}', '{}', '{"toString":"x"}'),
  'name a boolean': invalid('name', 'true', 'false'),
  'name a number or null': invalid('name', '0', 'null', '1.5', '-1'),
  'categoryId an array': invalid('categoryId', '[1]', '[1,2]'),
  'categoryId an empty array': invalid('categoryId', '[]'),
  'categoryId an object': invalid('categoryId', '{}', '{"id":1}'),
  'categoryId false': invalid('categoryId', 'false', 'true'),
  'categoryId digits in quotes': invalid('categoryId', '"1"', '"0"', '" 1 "'),
  'categoryId an empty text': invalid('categoryId', '""', '" "'),
  'categoryId a word': invalid('categoryId', '"abc"', '"1e0"', '"NaN"'),
  'categoryId with a small fraction': invalid('categoryId', '1.0000001', '0.5', '-0.5'),
  'categoryId just beyond int64': invalid('categoryId', '9223372036854775808', '-9223372036854775809'),
  'categoryId 2^64 and more': invalid('categoryId', '18446744073709551617', '1e19'),
  'categoryId beyond any double': invalid('categoryId', '1e400', '-1e400'),
  'categoryId null': invalid('categoryId', 'null'),
  'status in another case': invalid('status', '"Sold"', '"AVAILABLE"', '"sOLD"'),
  'status with spaces': invalid('status', '"sold "', '" sold"'),
  'status with a line break': invalid('status', '"sold\\n"', '"sold\\r\\n"'),
  'status empty': invalid('status', '""', '" "'),
  'status a part': invalid('status', '"sol"', '"a"'),
  'status with a suffix': invalid('status', '"solder"', '"pendingx"'),
  'status with a prefix': invalid('status', '"unsold"', '"xpending"'),
  'status an array': invalid('status', '["sold"]', '[]'),
  'status an object': invalid('status', '{}', '{"sold":true}'),
  'status true': invalid('status', 'true'),
  'status false': invalid('status', 'false'),
  'status 0': invalid('status', '0'),
  'status a number, or one in quotes': invalid('status', '"1"', '"0"', '2', '1'),
  'status null': invalid('status', 'null'),
  'status a built-in object member': invalid('status', '"constructor"', '"toString"', '"__proto__"'),
  'two statuses': invalid('status', '"sold,pending"', '"available|sold"'),
  'status a similar word': invalid('status', '"unavailable"', '"adopted"', '"reserved"'),
});

/** Creations with two wrong members. Each is refused by itself, so both together are too. */
export const WRONG_PAIRS = classesOf<WrongBody>({
  'name and categoryId wrong': invalidBoth(
    { name: 'null', categoryId: '"1"' },
    { name: '1', categoryId: 'null' },
  ),
  'name and status wrong': invalidBoth({ name: 'null', status: 'null' }, { name: '[]', status: '"SOLD"' }),
  'categoryId and status wrong': invalidBoth(
    { categoryId: 'null', status: 'null' },
    { categoryId: '[]', status: '[]' },
  ),
  'one missing and one wrong': invalidBoth(
    { name: null, status: '"lost"' },
    { categoryId: null, status: 'null' },
    { name: null, categoryId: '"1"' },
  ),
});

/**
 * A required member in the wrong place: under a similar name, or one level too deep. Names in other letter
 * case are left open: they are other members, but many readers accept them.
 */
const MISSING = classesOf<WrongBody>({
  'all inside pet': surrounded('create-missing-field', '{"pet":@}', '{"animal":@}', '{"newPet":@}'),
  'all inside data': surrounded('create-missing-field', '{"data":@}', '{"body":@}', '{"payload":@}'),
  'all inside a member without a name': surrounded('create-missing-field', '{"":@}'),
  'a bare number': surrounded('create-invalid-value', '7', '0', '0.5', '-1'),
  'a bare boolean': surrounded('create-invalid-value', 'true', 'false'),
  'in an array': surrounded('create-invalid-value', '[@]', '[@,@]', '[[@]]'),
  'name through __proto__': missing({ name: null }, '"__proto__":{"name":"Rex"}'),
  'categoryId through __proto__': missing({ categoryId: null }, '"__proto__":{"categoryId":1}'),
  'category instead': missing({ categoryId: null }, '"category":1'),
  'category_id instead': missing({ categoryId: null }, '"category_id":1'),
  'a category with an id instead': missing({ categoryId: null }, '"category":{"id":1}'),
  'a similar name instead': missing({ name: null }, '"petName":"Rex"', '"title":"Rex"'),
  'only a status': mostly<WrongBody>({
    row: 'create-missing-field',
    change: { name: null, categoryId: null, status: '"sold"' },
  }),
});

/** Broken JSON, which a strict reader refuses (`create-malformed-json`, a should). */
const BROKEN = classesOf<WrongBody>({
  'another value after it': broken('@ 1'),
  'a second object after it': broken('@@'),
  'a comment': broken('/* x */@', '@// x'),
  'only whitespace': broken(' \n'),
  'a comma after it': broken('@,'),
  'an extra brace': broken('@}'),
  'wrapped in a function call': broken('x(@)', '(@)'),
});

const BROKEN_INSIDE = classesOf<WrongBody>({
  'a comma before the brace': brokenBy('"x":1,'),
  'single quotes': brokenBy("'x':1"),
  'a member without quotes': brokenBy('x:1'),
  NaN: brokenBy('"x":NaN'),
  'a number with a leading zero': brokenBy('"x":01'),
  'a number with a plus': brokenBy('"x":+1'),
  'a raw line break in a text': brokenBy('"x":"a\nb"'),
  'an unknown escape': brokenBy('"x":"\\q"'),
  'half an escape': brokenBy('"x":"\\u12"'),
});

export const WRONG_CLASSES = [...VALUES, ...MISSING, ...BROKEN, ...BROKEN_INSIDE];

/**
 * Creations that the interface leaves open: further or repeated members, integers with an exponent, members
 * in another letter case. A service may accept or refuse them. A 5xx warns, and an accepted animal is like
 * any other. A repeated id is a fault, even if the service ignored the member.
 */
export const OPEN_CLASSES = classesOf<WrongBody>({
  'an id in the body': open('"id":@id'),
  'an id in the body as text': open('"id":"@id"', '"_id":@id'),
  'extra members': open('"owner":"Ann"', '"tags":[{"a":[]}]', '"constructor":1', '"$where":"1"'),
  'a member twice': open('"name":"Twice"', '"categoryId":@category'),
  'a negative zero': openCategory('-0', '-0.0'),
});
