import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { swapCase, written, type KeyForm } from './key-forms.js';
import { assertGone, expectGoneFrom, KEY } from './redact.test.support.js';
import { REDACTED, redactor } from './redact.js';

const FORMS: readonly KeyForm[] = [
  'whole',
  'base64',
  'base64-password',
  'percent-encoded',
  'cut',
  'half',
  'lengthened',
  'other-case',
  'look-alike',
];

for (const form of FORMS)
  test(`key form “${form}” is found in any letter case`, () => {
    const redact = redactor([KEY]);
    for (const text of [written(KEY, form), swapCase(written(KEY, form))]) {
      const clean = redact(`before ${text} after`);
      assert.match(clean, /^before .*\[key\].* after$/);
      assertGone(KEY, clean);
      // Other bytes share up to four Base64 characters with the key.
      assertGone(written(KEY, form).slice(form.startsWith('base64') ? 8 : 0), clean);
    }
  });

const WRITINGS: Readonly<Record<string, (key: string) => string>> = {
  'a JSON string': (key) => JSON.stringify({ message: `no key ${key}` }),
  'JSON with escaped slashes': (key) => JSON.stringify(key).replaceAll('/', String.raw`\/`),
  'JSON with every symbol escaped': (key) =>
    key.replace(/[^A-Za-z0-9]/g, (sign) => String.raw`\u00${sign.charCodeAt(0).toString(16).toUpperCase()}`),
  'a query': (key) => `/v1/pets?token=${encodeURIComponent(key)}&limit=1`,
  'Base64 after one byte': (key) => Buffer.from(`a${key}`).toString('base64'),
  'Base64 after two bytes': (key) => Buffer.from(`ab${key}b`).toString('base64'),
  'Base64 after a user': (key) => Buffer.from(`user:${key}`).toString('base64'),
  'Base64 for URLs': (key) => Buffer.from(`${key}??>>`).toString('base64url'),
};

for (const [what, write] of Object.entries(WRITINGS))
  test(`a key is found in ${what}`, () => {
    for (const key of [KEY, 'a"b\\c/d<e>f&g', 'Zm9vYmFyYmF6']) {
      const text = write(key);
      const clean = redactor([key])(text);
      assert.ok(clean.includes(REDACTED), clean);
      assertGone(key, clean);
      if (what.startsWith('Base64')) assertGone(Buffer.from(key).toString('base64').slice(2, -4), clean);
    }
  });

test('a short key is found, whole or without its last character', () => {
  for (const key of ['k', 'k1', 'k1%', 'k1.*', 'k$1^x', 'k(1)[2']) {
    const redact = redactor([key]);
    assert.equal(redact(`<${key}>`), `<${REDACTED}>`);
    if (key.length > 1) assert.equal(redact(`<${key.slice(0, -1)}>`), `<${REDACTED}>`);
  }
});

test('regular expression characters in a key are literal', () => {
  assert.equal(redactor(['.*.*.*'])('nothing of it stands here'), 'nothing of it stands here');
  assert.equal(redactor(['(a+)+$(a+)+$'])(`${'a'.repeat(50)}!`), `${'a'.repeat(50)}!`);
});

test('six consecutive characters of a key are redacted, five are not', () => {
  const redact = redactor([KEY]);
  assert.equal(redact(`:${KEY.slice(3, 9)}:`), `:${REDACTED}:`);
  assert.equal(redact(`:${KEY.slice(3, 8)}:`), `:${KEY.slice(3, 8)}:`);
});

test('words side by side hold a key by ten of its characters, and none by chance', () => {
  const sentence = 'A cat is at my door now.';
  assert.equal(redactor(['pkQxCaTiSaWvZkQtBmLs'])(sentence), sentence);
  assert.equal(redactor(['pkQxCaTiSaTmYdOoRvZk'])(sentence), REDACTED);
  // A shorter key is found whole.
  assert.equal(redactor(['CaTiSaTm'])(sentence), REDACTED);
});

test('interface words in a key are redacted only as part of half the key', () => {
  const redact = redactor(['petstore-business-Q7xW']);
  assert.equal(redact('the business plan of the pet store'), 'the business plan of the pet store');
  assert.equal(redact('{"status":"available"}'), '{"status":"available"}');
  assert.equal(redact('business-Q7'), REDACTED);
  assert.equal(redact('petstore-business'), REDACTED);
});

test('sentences about the key of a plan stay, though a key is named after its plan', () => {
  const plans = ['free', 'pro', 'business', 'enterprise'];
  const redact = redactor(plans.map((plan) => `${plan}-key-Q7xWb2Lm9pZ4`));
  for (const plan of plans) {
    const sentence = `The other key was allowed while the ${plan} key's was exhausted.`;
    assert.equal(redact(sentence), sentence);
    assert.equal(redact(`${plan}-key-Q7x`), REDACTED);
  }
});

test('the kit’s sentences about a plan and its key stay, though these words are half of a key', () => {
  for (const key of [
    'PETSTORE_BUSINESS_KEY',
    'pk_live_business_key',
    'business-key-1',
    'key-of-BusinessKey',
    'go.business.3333',
  ]) {
    const redact = redactor([key]);
    for (const sentence of [
      'http://h/v1 refused the Business key (401).',
      'The business key was banned.',
      'The business plan gets more than its allowance.',
      "The business plan's Remaining does not count its requests.",
    ])
      assert.equal(redact(sentence), sentence, key);
    assert.ok(!redact(`the Business key ${key} was banned`).includes(key));
  }
  assert.equal(redactor(['pk_live_business_key'])('pk_live_business'), REDACTED);
});

test('the first characters of a key before a cut are redacted', () => {
  const redact = redactor([KEY]);
  assert.equal(redact(`"no key ${KEY.slice(0, 5)}…`), `"no key ${REDACTED}…`);
  assert.equal(redact(`"no key ${KEY.slice(0, 4)}…`), `"no key ${REDACTED}…`);
  assert.equal(redact(`"no key ${KEY.slice(0, 4)}`), `"no key ${KEY.slice(0, 4)}`);
  assert.equal(redact('"no animal …'), '"no animal …');
});

const hex = (text: string): string => Buffer.from(text).toString('hex');
const codes = (text: string): readonly number[] => [...Buffer.from(text)];

/** Encodings of a text that can be decoded without other information. */
const CLOTHES: Readonly<Record<string, (text: string) => string>> = {
  'hexadecimal digits': hex,
  'upper-case hexadecimal digits': (text) => hex(text).toUpperCase(),
  'hexadecimal digits with colons': (text) => hex(text).replaceAll(/..(?!$)/g, '$&:'),
  'a hex dump': (text) => hex(text).replaceAll(/../g, '0x$&, '),
  'percent-encoding of every character': (text) => hex(text).replaceAll(/../g, '%$&'),
  'double percent-encoding': (text) => encodeURIComponent(hex(text).replaceAll(/../g, '%$&')),
  'JavaScript \\u escapes': (text) => hex(text).replaceAll(/../g, String.raw`\u00$&`),
  'JavaScript \\u{} escapes': (text) => hex(text).replaceAll(/../g, String.raw`\u{$&}`),
  '\\x escapes': (text) => hex(text).replaceAll(/../g, String.raw`\x$&`),
  'octal escapes': (text) => codes(text).map((code) => `\\${code.toString(8).padStart(3, '0')}`).join(''), // oxfmt-ignore
  'decimal HTML entities': (text) => codes(text).map((code) => `&#${code};`).join(''), // oxfmt-ignore
  'hexadecimal HTML entities': (text) => hex(text).replaceAll(/../g, '&#x$&;'),
  'quoted-printable': (text) => hex(text).replaceAll(/../g, '=$&'),
  Base64: (text) => Buffer.from(`a${text}`).toString('base64'),
  'Base64 in capitals': (text) => Buffer.from(text).toString('base64url'),
  'UTF-16LE': (text) => Buffer.from(text, 'utf16le').toString('latin1'),
  'UTF-16BE': (text) => Buffer.from(text, 'utf16le').swap16().toString('latin1'),
  'a list of byte values': (text) => JSON.stringify(codes(text)),
  backwards: (text) => Array.from(text).reverse().join(''),
  'a JSON text': (text) => JSON.stringify(text),
};

/** Separators between the characters or pieces of a text. */
const PARTED: Readonly<Record<string, (text: string) => string>> = {
  'a space after each character': (text) => Array.from(text).join(' '),
  'groups of five with hyphens': (text) => text.replaceAll(/.{5}/g, '$&-'),
  'lines of four characters': (text) => text.replaceAll(/.{4}/g, '$&\r\n'),
  'a list of pieces': (text) => JSON.stringify(text.match(/.{1,3}/g)),
};

/** A usual key of letters and digits, whose encodings resemble no other text. */
const LETTERS = 'sk9Q7xWv2LzP9kR4mT8bN3sD6fG1hJ5yU0eA';

/** Asserts that the redactor covers an encoded text, except a few characters at its ends. */
function assertUndressed(what: string, text: string): void {
  const clean = redactor([LETTERS, 'another-plan-s-0123456789'])(`<p>${text}</p>`);
  const left = clean.replaceAll(REDACTED, '').length - '<p></p>'.length;
  assert.ok(clean.includes(REDACTED) && left <= Math.max(12, text.length / 4), `${what}: ${clean}`);
}

for (const [what, dress] of Object.entries({ ...CLOTHES, ...PARTED }))
  test(`an encoded key is found in ${what}`, () => {
    assertUndressed(what, dress(LETTERS));
    assertUndressed(`a piece of it in ${what}`, dress(LETTERS.slice(5, 19)));
  });

test('a key is found in nested encodings', () => {
  const { backwards, ...readForward } = CLOTHES;
  for (const [outer, over] of Object.entries(readForward))
    for (const [inner, under] of Object.entries({ ...readForward, backwards }))
      assertUndressed(`${inner} in ${outer}`, over(under?.(LETTERS) ?? ''));
  assertUndressed(
    'Base64, backwards',
    Array.from(Buffer.from(LETTERS).toString('base64')).reverse().join(''),
  );
});

test('half a key within Base64 is found at any offset', () => {
  for (const shift of [0, 1, 2, 3, 4, 5])
    assertUndressed(
      `after ${shift}`,
      Buffer.from(`${'~'.repeat(shift)}${LETTERS.slice(0, 18)}`)
        .toString('base64')
        .slice(Math.ceil((shift * 8) / 6)),
    );
});

test('encoded text without a key is left unchanged', () => {
  const redact = redactor([LETTERS]);
  for (const text of [
    hex('no key stands here'),
    Buffer.from('nor does it stand in here').toString('base64'),
    '1, 2, 3, 44, 55, 66, 77',
  ])
    assert.equal(redact(text), text);
});

test('nested and overlapping keys are all redacted', () => {
  const redact = redactor(['alpha-bravo-charlie', 'charlie-delta-echo', 'bravo-']);
  const clean = redact('alpha-bravo-charlie-delta-echo');
  assert.equal(clean, REDACTED);
});

test('only the tokens that hold a key are replaced, and JSON stays JSON', () => {
  const redact = redactor([LETTERS]);
  const words = redact(JSON.stringify({ message: `no key ${LETTERS}, or ${hex(LETTERS)}`, code: 401 }));
  assert.deepEqual(JSON.parse(words), { message: 'no key [key], or [key]', code: 401 });
  assert.equal(redact(`GET /v1/pets?token=${LETTERS}&limit=1`), 'GET /v1/pets?token=[key]&limit=1');
  const apart = JSON.stringify({ message: Array.from(LETTERS).join(' '), code: 401 });
  assert.deepEqual(JSON.parse(redact(apart)), { message: REDACTED, code: 401 });
});

test('a key at the end of a quoted request leaves the quotation marks', () => {
  const encoded = hex(KEY).replaceAll(/../g, '%$&');
  assert.equal(
    redactor([KEY])(`sent “GET /pets?k=${encoded}”: expected`),
    `sent “GET /pets?k=${REDACTED}”: expected`,
  );
});

test('text is unchanged if there is no key', () => {
  assert.equal(redactor([])('text'), 'text');
  assert.equal(redactor([''])('text'), 'text');
});

/** Visible ASCII except brackets, which the placeholder has. */
const keys = fc.string({
  unit: fc
    .integer({ min: 0x21, max: 0x7e })
    .map((code) => (code === 0x5b || code === 0x5d ? 'x' : String.fromCharCode(code))),
  minLength: 6,
  maxLength: 60,
});

test('a text without a trace stays as it is, between own words too', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, word) => {
      fc.pre(!/[a-z]{3}[0-9]|[0-9]{3}/i.test(text + word));
      assert.equal(redactor(['zq81zq92zq03'], [word])(text + word), text + word);
    }),
  );
});

test('what is redacted once holds no trace any more: a second time changes nothing', () => {
  fc.assert(
    fc.property(keys, fc.constantFrom(...Object.values(CLOTHES)), fc.string(), (key, dress, around) => {
      const redact = redactor([key]);
      const clean = redact(`${around} ${dress(key)}${around}`);
      assert.equal(redact(clean), clean);
      assert.ok(clean.includes(REDACTED));
    }),
    { numRuns: 300 },
  );
});

test('no piece of any key form remains in any surrounding text', () => {
  fc.assert(
    fc.property(
      keys,
      fc.constantFrom(...FORMS),
      fc.constantFrom(...Object.values(WRITINGS), (key: string) => key),
      fc.string(),
      fc.string(),
      (key, form, write, before, after) => {
        const redact = redactor([key]);
        const clean = redact(`${before}${write(key)}${after} ${written(key, form)}`);
        assertGone(key, clean);
      },
    ),
    { numRuns: 500 },
  );
});

test('a megabyte of plain text, and one of only the key, are redacted completely', () => {
  expectGoneFrom('lorem ipsum dolor '.repeat(58_000));
  expectGoneFrom(KEY.repeat(47_000));
});
