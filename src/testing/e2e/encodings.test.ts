import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';
import { scenario } from './support/loading.js';
import { reference } from './support/targets.js';

/** What PowerShell's `>` and Notepad write: UTF-16 in both byte orders, and UTF-8 with a byte order mark. */
const ENCODINGS = {
  'UTF-16': (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'UTF-16 of the other byte order': (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  'UTF-8 with a byte order mark': (text: string) => Buffer.from(`\uFEFF${text}`),
};

for (const [name, encode] of Object.entries(ENCODINGS))
  test(`files in ${name} are read: key, target, scenario, baseline, results and log`, async (t) => {
    const cwd = folder(t);
    const server = await reference(t);
    const write = (file: string, text: string) => writeFileSync(join(cwd, file), encode(text));
    const again = (file: string) => write(file, readFileSync(join(cwd, file), 'utf8'));
    write('key', `${server.keys.business}\r\n`);
    write(
      'target.yaml',
      `# für Händler\r\nname: shop\r\nbaseUrl: ${server.baseUrl}\r\nkeys:\r\n  business: file:key\r\n`,
    );
    write('scenario.yaml', scenario().replace('keys: [business, enterprise]', 'keys: [business]'));
    write('baseline.yaml', 'schemaVersion: 1\r\naccepted: []\r\n');
    const expectMet = async (words: readonly string[]) => {
      const { code, stdout, stderr } = await petstoreHere(words, { cwd });
      assert.equal(code, 0, words.join(' ') + stdout + stderr);
    };
    const run = ['run', '--target', 'target.yaml', '--requirement', 'list-ok', '--baseline', 'baseline.yaml'];
    await expectMet([...run, '--report-dir', 'run']);
    await expectMet(['load', '--target', 'target.yaml', '--scenario', 'scenario.yaml', '--dry-run']);
    again('run/results.json');
    again('run/log.ndjson');
    await expectMet(['compare', 'run', 'run']);
    await expectMet(['report', 'run']);
  });
