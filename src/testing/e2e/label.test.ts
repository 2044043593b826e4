import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { launchChromium } from '../../report/pages/browser/chromium.test.support.js';
import { petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';
import { resultsIn } from './support/results.js';
import { reference, targetFile } from './support/targets.js';

const few = ['--requirement', 'list-ok', '--report-dir', 'run'];

test('every report shows the build label, and the reproduce command omits it', async (t) => {
  const cwd = folder(t);
  const server = await reference(t);
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  const { code, stdout } = await petstoreHere(['run', '--target', file, ...few, '--label', ' 2.4.1 '], {
    cwd,
    env,
  });
  assert.equal(code, 0, stdout);
  assert.match(stdout.replaceAll(/\s+/g, ' '), /under-test \(build 2\.4\.1\) conforms to the selected part/);
  const results = resultsIn(join(cwd, 'run'));
  assert.equal(results.label, '2.4.1');
  assert.equal(
    results.requirements.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0),
    results.durationMs,
  );
  const read = (name: string) => readFileSync(join(cwd, 'run', name), 'utf8');
  assert.match(read('index.html'), /<dt>Build<\/dt><dd>.{0,40}2\.4\.1/);
  assert.match(read('junit.xml'), /name="label" value="2\.4\.1"/);
  assert.match(read('summary.md'), /\| Build \| 2\S*4\.1 \|/);
  assert.match(read('ctrf.json'), /"label": "2\.4\.1"/);
  // A later reproduction may run against another build.
  assert.doesNotMatch(
    read('log.ndjson')
      .split('\n')[0]
      ?.replace(/.*"command"/, '') ?? '',
    /--label/,
  );
});

test('the first screen names the build, its age, and what changed since the run before', async (t) => {
  const cwd = folder(t);
  const judge = async (name: string, label: string, flaws: readonly string[], url?: string) => {
    const server = await reference(t, { flaws: [...flaws] });
    const { file, env } = targetFile(cwd, url ?? server.baseUrl, server.keys.business);
    const words = ['--requirement', 'list-ok', '--report-dir', `reports/${name}`, '--label', label];
    return petstoreHere(['run', '--target', file, ...words], { cwd, env });
  };
  await judge('one', '2.4.1', []);
  await judge('two', '2.4.2', ['plain-listing-fails']);
  await judge('none', '2.4.3', [], 'http://127.0.0.1:9/v1');
  const browser = await launchChromium();
  t.after(() => browser.close());
  const page = await browser.newPage();
  await page.clock.setFixedTime(Date.now() + 3 * 86_400_000 + 3_600_000);
  const headOf = async (name: string) => {
    await page.goto(`file://${join(cwd, 'reports', name, 'index.html')}`);
    return (await page.locator('header.head').innerText()).replaceAll(/\s+/g, ' ');
  };
  const head = await headOf('two');
  assert.match(head, /under-test \(build 2\.4\.2\) does not conform/);
  assert.match(head, /Since the run of \S+ \S+ UTC \(build 2\.4\.1\): 1 new, 0 fixed\./);
  assert.match(head, /, build 2\.4\.2, \S+ \S+ UTC \(3 days ago\)/);
  await page.getByRole('link', { name: /build 2\.4\.1/ }).click();
  assert.ok(page.url().includes('/reports/one/index.html'), page.url());
  assert.match(await headOf('none'), /Build 2\.4\.3/);
});
