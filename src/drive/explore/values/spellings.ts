import type { PetStatus } from '../../../base/interface/contract.js';
import { PLAIN_NAME } from './animals.js';
import type { Classed } from './value.js';

export type Members = readonly (readonly [name: string, json: string])[];

/** One way to write a creation's body. Each means the same to any reader of JSON (RFC 8259). */
interface Writing {
  readonly write: (members: Members) => string;
  /** Name that the spelling writes in another way, if the plain one has no such character. */
  readonly name?: Classed<string>;
  /** Status to send, if the spelling is about it. */
  readonly status?: PetStatus;
  /**
   * True if the ledger leaves open whether a service takes it (`create-invalid-value`): an integer with a
   * point or an exponent.
   */
  readonly isOpen?: true;
}

/** Half surrogates become escapes, their only form. */
export const jsonText = (text: string): string => JSON.stringify(text);

const escaped = (text: string): string =>
  text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const escapedInCapitals = (text: string): string =>
  escaped(text).replace(/\\u(.{4})/g, (_all, digits: string) => `\\u${digits.toUpperCase()}`);

const object = (members: Members): string =>
  `{${members.map(([name, json]) => `"${name}":${json}`).join(',')}}`;

const writing =
  (member: string, as: (json: string) => string): Writing['write'] =>
  (members) =>
    object(members.map(([name, json]) => [name, name === member ? as(json) : json]));

/** Writes some characters of the name as escapes. JSON has escapes of two characters for some of them. */
const escapingInName = (characters: RegExp, short: Readonly<Record<string, string>> = {}): Writing['write'] =>
  writing('name', (json) => {
    const text = String(JSON.parse(json));
    const parts = Array.from(text, (character) =>
      characters.test(character)
        ? (short[character] ?? escaped(character))
        : jsonText(character).slice(1, -1),
    );
    return `"${parts.join('')}"`;
  });

const inOrder = (...order: readonly string[]): Writing => ({
  write: (members) => object(order.flatMap((name) => members.filter(([member]) => member === name))),
  status: 'sold',
});

/** Spellings of the members and of the space between them. */
const OF_MEMBERS = {
  plain: { write: object },
  'extra whitespace': {
    write: (members) => ` {\r\n\t${members.map(([name, json]) => `"${name}" : ${json}`).join(' ,\n ')}\n} \n`,
  },
  'a space after colons and commas': {
    write: (members) => `{${members.map(([name, json]) => `"${name}": ${json}`).join(', ')}}`,
    status: 'pending',
  },
  'one member per line': {
    write: (members) => `{\n${members.map(([name, json]) => `  "${name}": ${json}`).join(',\n')}\n}`,
    status: 'sold',
  },
  // The plain order is name, categoryId, status. These are the five others.
  'status, category, name': inOrder('status', 'categoryId', 'name'),
  'status, name, category': inOrder('status', 'name', 'categoryId'),
  'category, name, status': inOrder('categoryId', 'name', 'status'),
  'category, status, name': inOrder('categoryId', 'status', 'name'),
  'name, status, category': inOrder('name', 'status', 'categoryId'),
  'the members escaped': {
    write: (members) => `{${members.map(([name, json]) => `"${escaped(name)}":${json}`).join(',')}}`,
  },
} as const satisfies Readonly<Record<string, Writing>>;

const SHARP_S = 'letters with special case rules';
const EMOJI = 'emoji and right to left';

/** Spellings of a text: each character raw, or as one of its escapes (RFC 8259 section 7). */
const OF_TEXTS = {
  'the name escaped': { write: writing('name', (json) => `"${escaped(String(JSON.parse(json)))}"`) },
  'the name escaped in capitals': {
    write: writing('name', (json) => `"${escapedInCapitals(String(JSON.parse(json)))}"`),
    name: { class: SHARP_S, value: 'Jẞß' },
  },
  'letters beyond ASCII escaped': {
    write: escapingInName(/^[\u0080-\uffff]$/u),
    name: { class: SHARP_S, value: 'Straße İı' },
  },
  'surrogate pairs escaped': {
    write: escapingInName(/^[\u{10000}-\u{10ffff}]$/u),
    name: { class: EMOJI, value: 'a 😀 𝒳' },
  },
  'quotes escaped as numbers': {
    write: escapingInName(/^["\\]$/),
    name: { class: 'quotes', value: 'a "x" \\ b' },
  },
  'line breaks escaped as numbers': {
    write: escapingInName(/^[\b\f\n\r\t]$/),
    name: { class: 'line breaks and tabs', value: 'a\nb\tc' },
  },
  'slashes escaped': {
    write: escapingInName(/^\/$/, { '/': '\\/' }),
    name: { class: 'paths and escapes', value: 'a/b' },
  },
  'the status escaped': {
    write: writing('status', (json) => `"${escaped(String(JSON.parse(json)))}"`),
    status: 'available',
  },
} as const satisfies Readonly<Record<string, Writing>>;

/** Spellings of one integer (RFC 8259 section 6). */
const OF_INTEGERS = {
  'the category with a point': { write: writing('categoryId', (json) => `${json}.0`), isOpen: true },
  'the category with an exponent': { write: writing('categoryId', (json) => `${json}e0`), isOpen: true },
  'the category with a negative exponent': {
    write: writing('categoryId', (json) => (json === '0' ? '0E-1' : `${json}0E-1`)),
    isOpen: true,
  },
} as const satisfies Readonly<Record<string, Writing>>;

const WRITINGS = { ...OF_MEMBERS, ...OF_TEXTS, ...OF_INTEGERS } as const;

export type Spelling = keyof typeof WRITINGS;

export const SPELLINGS = Object.keys(WRITINGS) as readonly Spelling[];

const writingOf = (spelling: Spelling): Writing => WRITINGS[spelling];

export const spelled = (members: Members, spelling: Spelling): string => writingOf(spelling).write(members);

export const isOpenSpelling = (spelling: Spelling): boolean => writingOf(spelling).isOpen === true;

export const nameShowing = (spelling: Spelling): Classed<string> => writingOf(spelling).name ?? PLAIN_NAME;

export const statusShowing = (spelling: Spelling): PetStatus | undefined => writingOf(spelling).status;
