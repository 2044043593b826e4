import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { lookOf, type OutputStream } from './look.js';

const stream = (isTTY: boolean, columns?: number): OutputStream =>
  Object.assign(new Writable(), { isTTY, ...(columns !== undefined && { columns }) });

describe('colour', () => {
  const cases: readonly (readonly [string, boolean, NodeJS.ProcessEnv, boolean])[] = [
    ['is used in a terminal', true, {}, true],
    ['is not used in a file', false, {}, false],
    ['is not used with NO_COLOR', true, { NO_COLOR: '1' }, false],
    ['is used with an empty NO_COLOR', true, { NO_COLOR: '' }, true],
    ['is used in a file with FORCE_COLOR', false, { FORCE_COLOR: '1' }, true],
    ['is not used with FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false],
    ['is not used with NO_COLOR and FORCE_COLOR', true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    ['is not used in a dumb terminal', true, { TERM: 'dumb' }, false],
  ];
  for (const [name, isTTY, env, expected] of cases)
    it(name, () => assert.equal(lookOf(stream(isTTY), env).colour, expected));
});

describe('Unicode', { skip: process.platform === 'win32' }, () => {
  const cases: readonly (readonly [string, NodeJS.ProcessEnv, boolean])[] = [
    ['is used with a UTF-8 LANG', { LANG: 'de_DE.UTF-8' }, true],
    ['is used with "utf8" without a hyphen', { LANG: 'C.utf8' }, true],
    ['is not used with another character set', { LANG: 'de_DE.ISO-8859-1' }, false],
    ['follows LC_ALL before LANG', { LC_ALL: 'C', LANG: 'de_DE.UTF-8' }, false],
    ['follows LC_CTYPE before LANG', { LC_CTYPE: 'de_DE.UTF-8', LANG: 'C' }, true],
    ['is not used without a locale', {}, false],
    ['is used on CI without a locale', { CI: 'true' }, true],
    ['is not used on CI with the C locale', { CI: 'true', LANG: 'C' }, false],
    ['is not used on CI with the POSIX locale', { CI: 'true', LC_ALL: 'POSIX' }, false],
  ];
  for (const [name, env, expected] of cases)
    it(name, () => assert.equal(lookOf(stream(false), env).unicode, expected));
});

describe('width', () => {
  const cases: readonly (readonly [string, number | undefined, number])[] = [
    ['is 80 columns if unknown', undefined, 80],
    ['is the terminal width if narrow', 60, 60],
    ['is at least 30 columns', 5, 30],
    ['is at most 120 columns', 240, 120],
  ];
  for (const [name, columns, expected] of cases)
    it(name, () => assert.equal(lookOf(stream(true, columns), {}).columns, expected));
});
