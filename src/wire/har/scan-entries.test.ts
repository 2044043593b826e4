import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from '../../base/kernel/any-text.test.support.js';
import { CUT, EntryScanner } from './scan-entries.js';

/** Returns all entries of a text that comes in pieces, parsed, and how it ended. */
function scanned(pieces: readonly string[], limits?: { readonly string: number; readonly entry: number }) {
  const scanner = new EntryScanner(limits);
  const entries = pieces
    .flatMap((piece) => [...scanner.push(piece)])
    .map((each) => (each.kind === 'entry' ? (JSON.parse(each.text) as unknown) : each.kind));
  return { entries, ...scanner.end() };
}

/** Splits a text at any places. */
const split = (text: string, places: readonly number[]): readonly string[] => {
  const cuts = [0, ...places.map((place) => place % (text.length + 1)), text.length].toSorted(
    (one, other) => one - other,
  );
  return cuts.slice(1).map((until, at) => text.slice(cuts[at], until));
};

const entry = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue(), { maxKeys: 5 });
const har = fc
  .record({
    before: fc.jsonValue(),
    entries: fc.array(entry, { maxLength: 6 }),
    after: fc.jsonValue(),
    space: fc.constantFrom(undefined, 2),
  })
  .map(({ before, entries, after, space }) => ({
    entries: entries.map((each) => JSON.parse(JSON.stringify(each)) as unknown),
    text: JSON.stringify(
      { pages: before, log: { creator: before, pages: [{ entries: [before] }], entries, comment: after } },
      null,
      space,
    ),
  }));

describe('EntryScanner', () => {
  test('any way to split a file gives the same entries', () => {
    fc.assert(
      fc.property(har, fc.array(fc.nat(), { maxLength: 12 }), ({ text, entries }, places) => {
        assert.deepEqual(scanned(split(text, places)), { entries, complete: true, hasEntries: true });
      }),
      { numRuns: 300 },
    );
  });

  test('a string beyond the limit is cut, in any pieces, and never inside an escape', () => {
    fc.assert(
      fc.property(
        anyText({ minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        (long, limit, places) => {
          // Each unit as an escape is the hardest case.
          const units = Array.from({ length: long.length }, (_, at) => long.charCodeAt(at));
          const escaped = units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
          const text = `{"log":{"entries":[{"a":"${escaped}","b":1}]}}`;
          const { entries, complete } = scanned(split(text, places), { string: limit, entry: 1000 });
          const [{ a, b } = { a: '', b: 0 }] = entries as readonly {
            readonly a: string;
            readonly b: number;
          }[];
          assert.ok(complete && b === 1);
          assert.ok(
            a === long || (a.endsWith(CUT) && long.startsWith(a.slice(0, -CUT.length))),
            JSON.stringify([a, long]),
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  test('a file that ends early is not complete, wherever it ends', () => {
    const text = '{"log":{"entries":[{"a":"x\\"y"},{"b":[1,{"c":"]"}]}],"comment":"z"}}';
    for (let length = 1; length < text.length; length += 1)
      assert.equal(scanned([text.slice(0, length)]).complete, false, text.slice(0, length));
    assert.equal(scanned([text]).entries.length, 2);
  });

  test('entries at the root and documents one after the other are read; other arrays named so are not', () => {
    assert.deepEqual(scanned(['{"entries":[{"a":1}]}\n{"log":{"entries":[{"a":2}]}}']).entries, [
      { a: 1 },
      { a: 2 },
    ]);
    const other = scanned(['{"log":{"pages":{"entries":[{"a":1}]}},"x":{"entries":[{"a":1}]}}']);
    assert.deepEqual([other.entries, other.hasEntries], [[], false]);
  });

  test('an entry beyond every bound is named, and the next one is read', () => {
    const large = JSON.stringify(Array.from({ length: 400 }, (_, at) => `${at}`));
    const { entries } = scanned([`{"log":{"entries":[{"a":${large}},{"b":2}]}}`], {
      string: 100,
      entry: 500,
    });
    assert.deepEqual(entries, ['too-large', { b: 2 }]);
  });
});
