import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { swapCase, written } from './key-forms.js';
import type { KeyForm } from './key-forms.js';
import { REDACTED, redactor } from './redact.js';

const KEY = 'pk_Kq7/Vw2+Zt9.Xb4$Rm6';
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

/** The length from which on a piece counts as a piece of the key. */
const pieceLength = (key: string): number => Math.max(Math.min(6, key.length), Math.ceil(key.length / 2));

const pieces = (key: string): string[] =>
  Array.from({ length: key.length - pieceLength(key) + 1 }, (_, at) => key.slice(at, at + pieceLength(key)));

function assertGone(key: string, text: string): void {
  for (const piece of pieces(key))
    assert.ok(!text.toLowerCase().includes(piece.toLowerCase()), `${JSON.stringify(piece)} is left in ${text}`);
}

for (const form of FORMS)
  test(`the form “${form}” is found, in any letter case`, () => {
    const redact = redactor([KEY]);
    for (const text of [written(KEY, form), swapCase(written(KEY, form))]) {
      const clean = redact(`before ${text} after`);
      assert.match(clean, /^before .*\[key\].* after$/);
      assertGone(KEY, clean);
      assertGone(written(KEY, form), clean);
    }
  });

const WRITINGS: Readonly<Record<string, (key: string) => string>> = {
  'a JSON string': (key) => JSON.stringify({ message: `no key ${key}` }),
  'JSON that escapes the slash': (key) => JSON.stringify(key).replaceAll('/', String.raw`\/`),
  'JSON that escapes every sign': (key) =>
    key.replace(/[^A-Za-z0-9]/g, (sign) => String.raw`\u00${sign.charCodeAt(0).toString(16).toUpperCase()}`),
  'a query': (key) => `/v1/pets?token=${encodeURIComponent(key)}&limit=1`,
  'Base64 after one byte': (key) => Buffer.from(`a${key}`).toString('base64'),
  'Base64 after two bytes': (key) => Buffer.from(`ab${key}b`).toString('base64'),
  'Base64 after a user': (key) => Buffer.from(`user:${key}`).toString('base64'),
  'Base64 for addresses': (key) => Buffer.from(`${key}??>>`).toString('base64url'),
};

for (const [what, write] of Object.entries(WRITINGS))
  test(`it is found in ${what}`, () => {
    for (const key of [KEY, 'a"b\\c/d<e>f&g', 'Zm9vYmFyYmF6']) {
      const text = write(key);
      const clean = redactor([key])(text);
      assert.ok(clean.includes(REDACTED), clean);
      assertGone(key, clean);
      if (what.startsWith('Base64')) assertGone(Buffer.from(key).toString('base64').slice(2, -4), clean);
    }
  });

test('a short key is found whole and with its last character cut', () => {
  for (const key of ['k', 'k1', 'k1%', 'k1.*', 'k$1^x', 'k(1)[2']) {
    const redact = redactor([key]);
    assert.equal(redact(`<${key}>`), `<${REDACTED}>`);
    if (key.length > 1) assert.equal(redact(`<${key.slice(0, -1)}>`), `<${REDACTED}>`);
  }
});

test('signs that mean something in patterns mean nothing in keys', () => {
  assert.equal(redactor(['.*.*.*'])('nothing of it stands here'), 'nothing of it stands here');
  assert.equal(redactor(['(a+)+$(a+)+$'])(`${'a'.repeat(50)}!`), `${'a'.repeat(50)}!`);
});

test('a piece of half the key is taken for it, a shorter one is not', () => {
  const redact = redactor([KEY]);
  assert.equal(redact(`:${KEY.slice(3, 14)}:`), `:${REDACTED}:`);
  assert.equal(redact(`:${KEY.slice(3, 13)}:`), `:${KEY.slice(3, 13)}:`);
});

test('several keys, one within another or overlapping, all go', () => {
  const redact = redactor(['alpha-bravo-charlie', 'charlie-delta-echo', 'bravo-']);
  const clean = redact('alpha-bravo-charlie-delta-echo');
  assert.equal(clean, REDACTED);
});

test('without a key nothing is changed', () => {
  assert.equal(redactor([])('text'), 'text');
  assert.equal(redactor([''])('text'), 'text');
});

/** Visible ASCII but for brackets, of which the placeholder itself is made. */
const keys = fc.string({
  unit: fc
    .integer({ min: 0x21, max: 0x7e })
    .map((code) => (code === 0x5b || code === 0x5d ? 'x' : String.fromCharCode(code))),
  minLength: 6,
  maxLength: 60,
});

test('whatever the key and whatever stands around it, no piece of any form is left', () => {
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

const LARGE: Readonly<Record<string, string>> = {
  'plain text': 'lorem ipsum dolor '.repeat(58_000),
  'nothing but the key': KEY.repeat(47_000),
  'pieces just too short': `${KEY.slice(0, 10)}-`.repeat(95_000),
  'the first character of the key': 'p'.repeat(1_048_576),
};

// With a search that goes back for every character this would not end; the bench says how long it takes.
for (const [what, text] of Object.entries(LARGE))
  test(`a megabyte of ${what} is redacted to its end`, () => {
    const redact = redactor([KEY, swapCase(`${KEY}2`), 'another-key-of-another-plan-0123456789', 'short']);
    const clean = redact(`${text} ${KEY} the end`);
    assertGone(KEY, clean);
    assert.ok(clean.endsWith(`${REDACTED} the end`));
  });
