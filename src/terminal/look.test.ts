import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { lookOf, type OutputStream } from './look.js';

const stream = (isTTY: boolean, columns?: number): OutputStream =>
  Object.assign(new Writable(), { isTTY, ...(columns !== undefined && { columns }) });

describe('colour', () => {
  const cases: readonly (readonly [string, boolean, NodeJS.ProcessEnv, boolean])[] = [
    ['a terminal', true, {}, true],
    ['a file', false, {}, false],
    ['NO_COLOR', true, { NO_COLOR: '1' }, false],
    ['an empty NO_COLOR', true, { NO_COLOR: '' }, true],
    ['FORCE_COLOR in a file', false, { FORCE_COLOR: '1' }, true],
    ['FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false],
    ['NO_COLOR beats FORCE_COLOR', true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    ['a dumb terminal', true, { TERM: 'dumb' }, false],
  ];
  for (const [name, isTTY, env, expected] of cases)
    it(name, () => assert.equal(lookOf(stream(isTTY), env).colour, expected));
});

describe('Unicode', { skip: process.platform === 'win32' }, () => {
  const cases: readonly (readonly [string, NodeJS.ProcessEnv, boolean])[] = [
    ['LANG', { LANG: 'de_DE.UTF-8' }, true],
    ['utf8 without a hyphen', { LANG: 'C.utf8' }, true],
    ['another character set', { LANG: 'de_DE.ISO-8859-1' }, false],
    ['LC_ALL before LANG', { LC_ALL: 'C', LANG: 'de_DE.UTF-8' }, false],
    ['LC_CTYPE before LANG', { LC_CTYPE: 'de_DE.UTF-8', LANG: 'C' }, true],
    ['no locale', {}, false],
    ['no locale on CI', { CI: 'true' }, true],
    ['C on CI', { CI: 'true', LANG: 'C' }, false],
    ['POSIX on CI', { CI: 'true', LC_ALL: 'POSIX' }, false],
  ];
  for (const [name, env, expected] of cases) it(name, () => assert.equal(lookOf(stream(false), env).unicode, expected));
});

describe('width', () => {
  const cases: readonly (readonly [string, number | undefined, number])[] = [
    ['unknown', undefined, 80],
    ['narrow', 60, 60],
    ['too narrow for any layout', 5, 30],
    ['so wide that lines would be hard to read', 240, 120],
  ];
  for (const [name, columns, expected] of cases)
    it(name, () => assert.equal(lookOf(stream(true, columns), {}).columns, expected));
});
