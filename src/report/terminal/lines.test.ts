import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import * as fc from 'fast-check';
import { anyText } from '../../base/kernel/any-text.test.support.js';
import { tableOf } from '../document.js';
import { safeText } from '../../outcome/words/safe-text.js';
import {
  copyable,
  cut,
  flow,
  hang,
  line,
  paint,
  span,
  tableLine,
  widthOf,
  wrap,
  type Line,
} from './lines.js';
import { lookOf } from './look.js';

const look = { ...lookOf(process.stderr, { LANG: 'C.UTF-8', NO_COLOR: '1' }), columns: 40 };
const painted = (one: Line, colour = false): string => paint([one], { ...look, colour }).join('\n');
const text = anyText({ maxLength: 200 });

describe('printed lines', () => {
  it('wrap at spaces and lose no text', () =>
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 60 }), (given, width) => {
        const shown = safeText(given, true);
        const lines = wrap(shown, width, Infinity, '…');
        for (const one of lines) assert.ok(widthOf(one) <= width, JSON.stringify(one));
        assert.equal(lines.join('').replaceAll(' ', ''), shown.replaceAll(' ', ''));
      }),
    ));

  it('are limited in number, with a mark where they are cut', () =>
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 4, max: 60 }),
        fc.integer({ min: 1, max: 3 }),
        (given, width, most) => {
          const all = wrap(given, width, Infinity, '…');
          const lines = wrap(given, width, most, '…');
          assert.ok(lines.length <= most);
          for (const one of lines) assert.ok(widthOf(one) <= width, JSON.stringify(one));
          assert.equal(all.length > most, lines.join('') !== all.join(''));
          if (all.length > most) assert.match(lines.at(-1) ?? '', /…$/);
        },
      ),
    ));

  it('of a table that is too wide for its label begin below it, and no figure is cut', () => {
    const table = tableOf(
      'Journeys',
      [{ name: 'adopt' }, { name: 'buy' }],
      [
        ['Journey', ({ name }) => name],
        ['Finished', () => '20'],
        ['Not shown', () => '0'],
      ],
    );
    assert.equal(
      painted(tableLine(table, 'journeys          ')),
      [
        'journeys',
        '    Journey  Finished  Not shown',
        '    adopt          20          0',
        '    buy            20          0',
      ].join('\n'),
    );
    assert.equal(
      painted(tableLine(table, 'journeys  ')),
      [
        'journeys  Journey  Finished  Not shown',
        '          adopt          20          0',
        '          buy            20          0',
      ].join('\n'),
    );
  });

  it('of a table with glyphs and a sentence keep their columns', () => {
    const table = tableOf(
      'Answers',
      [{ glyph: 'inconclusive', text: 'cannot tell: a phase needs 43 s at one rate' } as const],
      [
        ['Phase', () => 'warm'],
        ['Answer', (cell) => cell],
      ],
    );
    assert.deepEqual(
      paint([tableLine(table, '  ')], { ...look, isScreen: true }).map((one) => one.trimEnd()),
      ['    Phase  Answer', '  ? warm   cannot tell: a phase needs 43', '           s at one rate'],
    );
  });

  it('contain no control characters', () =>
    fc.assert(
      fc.property(text, (given) => {
        assert.doesNotMatch(painted(line(span(`\u001b]0;x\u0007\u009b2J${given}`))), /\p{Cc}/u);
      }),
    ));

  it('never exceed the terminal width', () =>
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), fc.integer({ min: 30, max: 120 }), (texts, columns) => {
        const narrow = { ...look, columns };
        const spans = texts.map((one) => span(safeText(one, true)));
        const lines = [
          line(...spans),
          flow([span('label  ')], spans),
          hang([span('   x  ')], safeText(texts.join(' '), true)),
        ];
        for (const one of paint(lines, narrow)) assert.ok(widthOf(one) <= columns);
      }),
    ));

  it('are cut between characters, with wide ones counted as two', () => {
    assert.equal(cut('日本語', 6, '…'), '日本語');
    assert.equal(cut('日本語', 5, '…'), '日本…');
    assert.equal(cut('日本語', 4, '…'), '日…');
    assert.equal(cut('abcdef', 5, '...'), 'ab...');
  });

  it('stay uncut if they are meant for copying', () =>
    assert.equal(painted(copyable(span('x'.repeat(90)))), 'x'.repeat(90)));

  it('contain no CI commands', () => {
    assert.equal(painted(line(span('   ::error::x'))), '   \\x3a:error::x');
    assert.equal(painted(line(span('a ##[group]b ##vso[task]'))), 'a #\\x23[group]b #\\x23vso[task]');
    assert.equal(painted(line(span('a ::b'))), 'a ::b');
  });

  it('have the same text with and without colour', () => {
    const coloured = painted(line(span('✗', 'bad'), span(' 1 failed', 'warn')), true);
    assert.ok(coloured.includes('\x1b[31m'));
    assert.equal(stripVTControlCharacters(coloured), '✗ 1 failed');
  });
});

it('the layout time of 200,000 characters grows only linearly', () => {
  for (const text of ['x'.repeat(200_000), 'ab '.repeat(70_000), '語'.repeat(20_000)]) {
    const begun = performance.now();
    wrap(text, 70, Infinity, '…');
    cut(text, 70, '…');
    // In quadratic time this would take minutes.
    assert.ok(performance.now() - begun < 20_000, text.slice(0, 3));
  }
});
