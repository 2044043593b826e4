import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { hasLookAlike, lookAlike, placeholder, plain, swapCase, written, type KeyForm } from './key-forms.js';

const KEY = 'pk_Live/9+a';

const FORMS: Readonly<Record<KeyForm, string>> = {
  whole: 'pk_Live/9+a',
  base64: Buffer.from('pk_Live/9+a:').toString('base64'),
  'base64-password': Buffer.from('api:pk_Live/9+a').toString('base64'),
  'percent-encoded': 'pk_Live%2F9%2Ba',
  cut: 'pk_Live/9+',
  half: 'pk_Li',
  first: 'p',
  lengthened: 'pk_Live/9+ax',
  'other-case': 'PK_lIVE/9+A',
  'look-alike': 'pk_a+9/eviL',
};

for (const [form, text] of Object.entries(FORMS) as [KeyForm, string][])
  test(`key form “${form}” is ${text} and is logged as ${placeholder(form)}`, () => {
    assert.equal(written(KEY, form), text);
    assert.ok(placeholder(form).includes('PETSTORE_KEY'));
  });

/** Visible ASCII, the only characters of a key. */
const key = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
});

test('swapped case changes every key with letters, and swapping twice restores it', () => {
  fc.assert(
    fc.property(key, (text) => {
      assert.equal(swapCase(text) === text, !/[a-z]/i.test(text));
      assert.equal(swapCase(swapCase(text)), text);
      assert.equal(swapCase(text).toLowerCase(), text.toLowerCase());
    }),
  );
});

test('a cut or lengthened key differs from the key', () => {
  fc.assert(
    fc.property(key, (text) => {
      assert.notEqual(written(text, 'cut'), text);
      assert.notEqual(written(text, 'lengthened'), text);
    }),
  );
});

test('a look-alike differs from the key but has its length, prefix and characters', () => {
  fc.assert(
    fc.property(key, (text) => {
      const other = lookAlike(text);
      assert.equal(other.length, text.length);
      assert.equal(other.slice(0, -8), text.slice(0, -8));
      assert.deepEqual(Array.from(other).sort(), Array.from(text).sort());
      assert.equal(lookAlike(other), text);
      if (hasLookAlike(text)) assert.notEqual(other, text);
    }),
  );
});

for (const [text, has] of [
  ['pk_live_9fK2mQ7x', true],
  ['3f2504e0-4f89-41d3-9a0c-0305e82c3301', true],
  ['k1', false],
  ['secret-abc', false],
  ['customer-00000012', false],
  ['123456789012345678', false],
  ['demo-demo-aaaaaaaa', false],
] as const)
  test(`${text} has ${has ? 'a' : 'no'} look-alike that was certainly never issued`, () =>
    assert.equal(hasLookAlike(text), has));

test('text without a key does not request one', () => {
  assert.equal(
    plain('application/json')(() => assert.fail('no key is needed')),
    'application/json',
  );
});
