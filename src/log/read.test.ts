import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readLog } from './read.js';
import { exchangeRecord, footerRecord, headerRecord } from './records.test.support.js';
import { RunFileError } from '../base/kernel/errors.js';

const folder = mkdtempSync(join(tmpdir(), 'log-'));
after(() => rmSync(folder, { recursive: true }));

let files = 0;
function fileOf(text: string): string {
  const file = join(folder, `${(files += 1)}.ndjson`);
  writeFileSync(file, text);
  return file;
}

const line = (record: unknown): string => `${JSON.stringify(record)}\n`;
const HEAD = line(headerRecord);
const ONE = line(exchangeRecord('x1'));
const FOOT = line(footerRecord);

const failsWith = (text: string, code: RunFileError['code'], words: RegExp): Promise<void> =>
  assert.rejects(
    readLog(fileOf(text)),
    (error) => error instanceof RunFileError && error.code === code && words.test(error.message),
  );

test('a complete log is read', async () => {
  const log = await readLog(fileOf(HEAD + ONE + FOOT));
  assert.deepEqual([log.header, log.exchanges.length, log.footer], [headerRecord, 1, footerRecord]);
});

for (const [what, tail] of [
  ['half a line', ONE.slice(0, 40)],
  ['half a line that is valid JSON', '12'],
  ['half a character', '"caf\u00c3'],
] as const)
  test(`${what} after a crash is dropped, and the log counts as incomplete`, async () => {
    const log = await readLog(fileOf(HEAD + ONE + tail));
    assert.deepEqual([log.exchanges.length, log.footer], [1, null]);
  });

test('a last line without line feed is read', async () => {
  assert.equal((await readLog(fileOf(HEAD + ONE.trimEnd()))).exchanges.length, 1);
});

test('a separator of lines inside a text ends no record', async () => {
  const odd = ONE.replace('"x1"', '"x\u2028\u2029\u0085 1"');
  assert.notEqual(odd, ONE);
  assert.equal((await readLog(fileOf(HEAD + odd + FOOT))).exchanges.length, 1);
});

test('damage in the middle is an error with a line number', () =>
  failsWith(`${HEAD}${ONE.slice(0, 40)}\n${ONE}${FOOT}`, 'log-damaged', /line 2/));

test('a log without its header is damaged', async () => {
  await failsWith(ONE + FOOT, 'log-damaged', /header/);
  await failsWith('', 'log-damaged', /header/);
  await failsWith('{"type":"hea', 'log-damaged', /header/);
});

test('a log of another version is rejected', () =>
  failsWith(line({ ...headerRecord, schemaVersion: 2 }) + FOOT, 'log-version', /2.*1/));

test('a missing file or a folder is unreadable', async () => {
  for (const file of [join(folder, 'nowhere.ndjson'), folder])
    await assert.rejects(
      readLog(file),
      (error) => error instanceof RunFileError && error.code === 'log-unreadable',
    );
});

test('invalid records and an endless line are damage', async () => {
  for (const wrong of ['{"type":"exchange"}', '{"type":"series","rows":5}', '{"type":"exchange","kept":5}']) {
    const file = fileOf([JSON.stringify(headerRecord), wrong, JSON.stringify(footerRecord), ''].join('\n'));
    await assert.rejects(readLog(file), isDamage, wrong);
  }
  const file = fileOf(`${JSON.stringify(headerRecord)}\n`);
  // A sparse file uses no disk space.
  truncateSync(file, 600 * 2 ** 20);
  await assert.rejects(readLog(file), isDamage);
});

const isDamage = (error: unknown): boolean => error instanceof RunFileError && error.code === 'log-damaged';
