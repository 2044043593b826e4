import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigError, UsageError } from '../../base/kernel/errors.js';
import { parseTarget } from './load-target.js';
import { subjectsOfRun, subjectText } from './subject.js';

const IMAGE = `oci://registry.example/petstore@sha256:${'a'.repeat(64)}`;
const COMMIT = `gitCommit:${'0123456789'.repeat(4)}`;

describe('--subject', () => {
  test('reads an image and a commit, and prints them as they were given', () => {
    const subjects = subjectsOfRun([], [IMAGE, COMMIT, `a@b@sha512:${'c'.repeat(128)}`]);
    assert.deepEqual(
      subjects.map(({ name, digest }) => [name, ...Object.keys(digest)]),
      [
        ['oci://registry.example/petstore', 'sha256'],
        ['gitCommit', 'gitCommit'],
        ['a@b', 'sha512'],
      ],
    );
    assert.deepEqual(subjects.slice(0, 2).map(subjectText), [IMAGE, COMMIT]);
  });

  test('comes after the subjects of the target file, and counts once', () => {
    const ofTarget = subjectsOfRun([], [COMMIT]);
    assert.deepEqual(subjectsOfRun(ofTarget, [IMAGE, COMMIT]).map(subjectText), [COMMIT, IMAGE]);
  });

  const refused: readonly (readonly [what: string, text: string, message: RegExp])[] = [
    ['a tag instead of a digest', 'registry.example/petstore:2.4.0', /no digest/],
    ['a name only', 'petstore', /no digest/],
    ['an unknown algorithm', `x@md5:${'a'.repeat(32)}`, /unknown kind of digest/],
    ['a short digest', 'x@sha256:abc', /digest is not 64 hexadecimal digits/],
    ['a shortened commit', 'gitCommit:0123456', /40 or 64/],
    ['capital letters', `x@sha256:${'A'.repeat(64)}`, /hexadecimal digits in lower case/],
    ['an empty name', `@sha256:${'a'.repeat(64)}`, /name/],
    ['a name of two lines', `a\nb@sha256:${'a'.repeat(64)}`, /name/],
    ['a password', `oci://me:secret@registry.example/x@sha256:${'a'.repeat(64)}`, /password/],
  ];
  for (const [what, text, message] of refused)
    test(`rejects ${what}`, () => {
      assert.throws(
        () => subjectsOfRun([], [text]),
        (error) =>
          error instanceof UsageError &&
          error.code === 'bad-option' &&
          message.test(error.message) &&
          !/secret/.test(error.message + error.hint),
      );
    });
});

const file = (...lines: readonly string[]) =>
  ['name: mine', 'baseUrl: https://pets.example/v1', 'keys: { free: k }', 'subject:', ...lines].join('\n');

describe('subjects of a target file', () => {
  const env = { DIGEST: 'b'.repeat(64) };

  test('may come from the environment, and may be missing there', () => {
    const { subject } = parseTarget(file('  - img@sha256:${DIGEST}', '  - ${COMMIT:-}'), 'a.yaml', env);
    assert.deepEqual(subject, [{ name: 'img', digest: { sha256: env.DIGEST } }]);
  });

  test('are rejected with their line', () => {
    assert.throws(
      () => parseTarget(file('  - img@sha256:${DIGEST}', '  - img:latest'), 'a.yaml', env),
      (error) => error instanceof ConfigError && error.code === 'bad-value' && error.where === 'a.yaml:6: ',
    );
  });

  test('may not contain a key', () => {
    assert.throws(
      () =>
        parseTarget(
          file('  - secret-key-7@sha256:${DIGEST}').replace('free: k', 'free: secret-key-7'),
          'a',
          env,
        ),
      (error) => error instanceof ConfigError && error.code === 'misplaced-key',
    );
  });
});
