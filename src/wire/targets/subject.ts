import { badOption, ConfigError } from '../../base/kernel/errors.js';
import { closed, described, map, type Of, someText, string } from '../../base/kernel/shape.js';
import { redacted } from '../exchange/redaction.js';
import type { Place } from './placeholders.js';

/**
 * An artefact that the operator says was tested: its name, and one digest by the algorithm's name, as in-toto
 * writes it.
 */
export type Subject = Of<typeof SUBJECT>;
export const SUBJECT = closed({
  name: redacted(someText),
  digest: described(
    'The digest by the name of its algorithm, as in-toto names it.',
    map(string({ pattern: '^[0-9a-f]{40,128}$' }), { minProperties: 1 }),
  ),
});

/**
 * Lengths of digests in hexadecimal digits. Names are those of in-toto (spec/v1/digest_set.md); OCI
 * registries use the same for images. A git commit has 40 digits, or 64 in a repository with SHA-256.
 */
const LENGTHS: ReadonlyMap<string, readonly number[]> = new Map([
  ['sha256', [64]],
  ['sha384', [96]],
  ['sha512', [128]],
  ['gitCommit', [40, 64]],
]);

/** Longest name, in characters: an image's address with its tag fits. */
const LONGEST_NAME = 200;

const EXPECTED = 'NAME@sha256:DIGEST or gitCommit:DIGEST, with the whole digest in lower case';

/**
 * Parses `oci://registry.example/petstore@sha256:…` or `gitCommit:…`. Without a name before the `@`, the
 * algorithm is the name.
 *
 * @returns the subject, or a sentence about what is wrong; the sentence never quotes the text
 */
function parseSubject(text: string): Subject | string {
  const at = text.lastIndexOf('@');
  const [algorithm = '', digest, ...more] = text.slice(at + 1).split(':');
  const name = at < 0 ? algorithm : text.slice(0, at);
  const lengths = LENGTHS.get(algorithm);
  if (digest === undefined || more.length > 0 || !/^\w+$/.test(algorithm)) return 'A subject has no digest.';
  if (!lengths)
    return `A subject has an unknown kind of digest; known are ${[...LENGTHS.keys()].join(', ')}.`;
  if (!/^[0-9a-f]+$/.test(digest) || !lengths.includes(digest.length))
    return `A subject's ${algorithm} digest is not ${lengths.join(' or ')} hexadecimal digits in lower case.`;
  if (name.trim() === '' || name.length > LONGEST_NAME || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name))
    return `A subject's name is not one line of 1 to ${LONGEST_NAME} characters.`;
  if (URL.canParse(name) && new URL(name).password !== '') return "A subject's address contains a password.";
  return { name, digest: { [algorithm]: digest } };
}

/** Throws ConfigError `bad-value` with the line. */
export const subjectsOfFile = (
  texts: readonly string[],
  placeOf: (index: number) => Place,
): readonly Subject[] =>
  texts.map((text, index) => {
    const subject = parseSubject(text);
    if (typeof subject !== 'string') return subject;
    throw new ConfigError({
      code: 'bad-value',
      message: subject,
      ...placeOf(index),
      expected: EXPECTED,
      hint: 'Copy the digest from the registry or from git rev-parse HEAD. Nothing was sent.',
    });
  });

/**
 * Returns the subjects of a run: those of the target file, then those of `--subject`, each once. Throws
 * UsageError `bad-option`.
 */
export function subjectsOfRun(ofTarget: readonly Subject[], texts: readonly string[]): readonly Subject[] {
  const given = texts.map((text) => {
    const subject = parseSubject(text);
    if (typeof subject !== 'string') return subject;
    throw badOption(`--subject: ${subject}`, `Write it as ${EXPECTED}. Nothing was sent.`);
  });
  const all = new Map([...ofTarget, ...given].map((subject) => [subjectText(subject), subject]));
  return [...all.values()];
}

const digestText = (digest: Subject['digest']): string =>
  Object.entries(digest)
    .map(([algorithm, hex]) => `${algorithm}:${hex}`)
    .join(', ');

/** A subject as it was given: `NAME@sha256:DIGEST`; a name that repeats the algorithm is left out. */
export const subjectText = ({ name, digest }: Subject): string =>
  name in digest ? digestText(digest) : `${name}@${digestText(digest)}`;
