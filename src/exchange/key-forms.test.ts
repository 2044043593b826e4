import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { placeholder, plain, swapCase, written } from './key-forms.js';
import type { KeyForm } from './key-forms.js';

const KEY = 'pk_Live/9+a';

const FORMS: Readonly<Record<KeyForm, string>> = {
  whole: 'pk_Live/9+a',
  base64: Buffer.from('pk_Live/9+a:').toString('base64'),
  'base64-password': Buffer.from('api:pk_Live/9+a').toString('base64'),
  'percent-encoded': 'pk_Live%2F9%2Ba',
  cut: 'pk_Live/9+',
  lengthened: 'pk_Live/9+ax',
  'other-case': 'PK_lIVE/9+A',
};

for (const [form, text] of Object.entries(FORMS) as [KeyForm, string][])
  test(`the form “${form}” is ${text}, and recorded as ${placeholder(form)}`, () => {
    assert.equal(written(KEY, form), text);
    assert.ok(placeholder(form).includes('PETSTORE_KEY'));
  });

/** Visible ASCII, which is all that a key can be made of. */
const key = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
});

test('the other letter case is the key’s own exactly when it has no letters, and twice is once', () => {
  fc.assert(
    fc.property(key, (text) => {
      assert.equal(swapCase(text) === text, !/[a-z]/i.test(text));
      assert.equal(swapCase(swapCase(text)), text);
      assert.equal(swapCase(text).toLowerCase(), text.toLowerCase());
    }),
  );
});

test('a key that was cut or lengthened is another key', () => {
  fc.assert(
    fc.property(key, (text) => {
      assert.notEqual(written(text, 'cut'), text);
      assert.notEqual(written(text, 'lengthened'), text);
    }),
  );
});

test('text without a key asks for none', () => {
  assert.equal(
    plain('application/json')(() => assert.fail('no key is needed')),
    'application/json',
  );
});
