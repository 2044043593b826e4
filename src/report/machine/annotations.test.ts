import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from '../../base/kernel/any-text.test.support.js';
import { annotationsOf } from './annotations.js';
import { exampleDocument, HOSTILE, inconclusive, violated } from '../example-run.test.support.js';

describe('GitHub annotations', () => {
  test('are errors for failures of the verdict, and warnings otherwise', () => {
    const findings = [
      violated('list-ok', 'GET /pets: 50% fail,\nsadly'),
      violated('auth-challenge', 'none'),
      inconclusive('get-ok'),
    ];
    assert.deepEqual(annotationsOf(exampleDocument({ findings })), [
      '::error title=list-ok::GET /pets: 50%25 fail,%0Asadly',
      '::error title=get-ok::could not be determined: the store holds too few animals',
      '::warning title=auth-challenge::warning: none',
    ]);
  });

  test('contain short expected and received values', () => {
    const finding = {
      ...violated('list-ok', 'more animals than its limit.'),
      expected: 'at most 20',
      actual: '25',
    };
    assert.deepEqual(annotationsOf(exampleDocument({ findings: [finding] })), [
      '::error title=list-ok::more animals than its limit: expected at most 20, received 25',
    ]);
  });

  test('do not exist for a conformant run, and are errors for an interrupted run', () => {
    assert.deepEqual(annotationsOf(exampleDocument()), []);
    assert.match(
      annotationsOf(exampleDocument({ footer: false }))[0] ?? '',
      /^::error title=run::The run was cut short/,
    );
  });

  test('are one line and one command for any text from the target', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...HOSTILE), anyText()), (text) => {
        const [line = '', ...others] = annotationsOf(
          exampleDocument({ findings: [violated('list-ok', text)] }),
        );
        assert.deepEqual(others, []);
        assert.match(line, /^::error title=list-ok::[^\r\n]*$/);
      }),
      { numRuns: 60 },
    );
  });
});
