import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import type { Browser } from '@playwright/test';
import { launchChromium } from '../../report/pages/browser/chromium.test.support.js';
import { attribute, readXml } from '../../report/strict-xml.test.support.js';
import { aRun, copyOf, LISTS_25 } from './support/a-run.js';
import { petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';
import { resultsIn } from './support/results.js';
import { reference, targetFile } from './support/targets.js';

let browser: Browser;
before(async () => {
  browser = await launchChromium();
});
after(async () => {
  await browser?.close();
});

/** Judges a server whose default limit is 25, with a baseline that accepts this until a day. */
async function judge(t: TestContext, expires: string, flaws = ['default-limit-twenty-five']) {
  const cwd = folder(t);
  const server = await reference(t, { flaws });
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  const entry = [
    '  - requirement: list-limit-default',
    '    outcome: failed',
    '    reason: the old clients count on 25',
    '    link: https://tracker.example.com/7',
    `    expires: ${expires}`,
  ];
  writeFileSync(join(cwd, 'baseline.yaml'), ['schemaVersion: 1', 'accepted:', ...entry, ''].join('\n'));
  const words = ['--baseline', 'baseline.yaml', '--requirement', 'list-limit-*', '--report-dir', 'run'];
  const ended = await petstoreHere(['run', '--target', file, ...words], { cwd, env });
  const run = join(cwd, 'run');
  const read = (name: string) => readFileSync(join(run, name), 'utf8');
  return { ...ended, run, read, results: resultsIn(run) };
}

test('every report shows an accepted deviation, and the verdict does not change', async (t) => {
  const { code, stdout, stderr, run, read, results } = await judge(t, '2099-01-31');
  assert.equal(code, 0, stdout + stderr);
  assert.equal(results.verdict, 'non-conformant');
  assert.deepEqual(
    results.accepted?.map(({ requirement }) => requirement),
    ['list-limit-default'],
  );
  const agreed = 'until 2099-01-31: the old clients count on 25 (https://tracker.example.com/7)';
  const said = stdout.replaceAll(/\s+/g, ' ');
  assert.ok(said.includes(`accepted list-limit-default ${agreed}`), stdout);
  assert.match(
    said,
    /! list-limit-default accepted until 2099-01-31: “GET \/pets[^”]*” returned more animals/,
  );
  assert.match(
    said,
    /conforms to the selected part of Pet Store Service Interface 1\.0\.0 with 1 accepted deviation \(until 2099-01-31\)/,
  );
  assert.doesNotMatch(stdout, /✗|failed|fails/);

  const root = readXml(read('junit.xml'));
  assert.equal(attribute(root, 'failures'), '0');
  assert.equal(attribute(root, 'errors'), '0');
  const row = root.children
    .flatMap(({ children }) => children)
    .find((element) => attribute(element, 'name') === 'list-limit-default');
  const skipped = row?.children.find(({ name }) => name === 'skipped');
  assert.ok(skipped && attribute(skipped, 'message')?.startsWith(`accepted ${agreed}; `));
  const ctrf = JSON.parse(read('ctrf.json')) as { results: { summary: { failed: number } } };
  assert.equal(ctrf.results.summary.failed, 0);

  const badge = JSON.parse(read('badge.json')) as { message: string; color: string };
  assert.equal(badge.color, 'orange');
  assert.match(badge.message, /^conforms with 1 accepted deviation, 2\/3, selection/);
  assert.match(stdout, /^CONFORMS WITH 1 ACCEPTED DEVIATION {2}2 of 3 required behaviours passed/m);
  assert.match(
    read('junit.xml'),
    /name="standing" value="Conforms with 1 accepted deviation in the selected part"/,
  );

  const page = await browser.newPage();
  await page.goto(`file://${join(run, 'index.html')}`);
  const head = await page.locator('header.head').innerText();
  assert.match(head, /^Conforms with 1 accepted deviation in the selected part/);
  assert.match(await page.locator('#fix').innerText(), /^Nothing to fix/);
  assert.equal(await page.locator('#fix li').count(), 0);
  const accepted = await page.locator('#accepted').innerText();
  assert.match(accepted, /^1 accepted deviation \(until 2099-01-31\)\n+list-limit-default/);
  assert.match(accepted, /Accepted until 2099-01-31: the old clients count on 25 \(agreed\)/);
  assert.equal(await page.locator('use[href="#glyph-failed"]').count(), 0, 'no cross');
});

test('baseline create drafts a file that must be completed and is never overwritten', async (t) => {
  const { cwd, code } = copyOf(t, await aRun(LISTS_25));
  assert.equal(code, 1);
  const server = await reference(t, { flaws: ['default-limit-twenty-five'] });
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  const run = (...more: readonly string[]) =>
    petstoreHere(['run', '--target', file, '--requirement', 'list-limit-default', ...more], { cwd, env });

  const made = await petstoreHere(['baseline', 'create', 'run', '--expires', '2099-01-31'], { cwd });
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /^1 deviation to accept until 2099-01-31: baseline\.yaml$/m);
  const draft = readFileSync(join(cwd, 'baseline.yaml'), 'utf8');
  assert.match(
    draft,
    /requirement: list-limit-default\n {4}outcome: failed\n {4}found: .*\n(?: {6}- '.*'\n)+ {4}reason: ''/,
  );

  const before = server.requests();
  const refused = await run('--baseline', 'baseline.yaml', '--report-dir', 'refused');
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /^configuration +baseline\.yaml:\d+: An entry has no reason/);
  assert.equal(server.requests(), before, 'nothing is sent');

  const filled = draft
    .replace("reason: ''", 'reason: agreed')
    .replace("link: ''", "link: 'https://tracker.example.com/1'");
  writeFileSync(join(cwd, 'baseline.yaml'), filled);
  const again = await petstoreHere(['baseline', 'create', 'run'], { cwd });
  assert.equal(again.code, 2);
  assert.match(again.stderr, /baseline\.yaml already exists/);
  assert.equal(readFileSync(join(cwd, 'baseline.yaml'), 'utf8'), filled);

  const accepted = await run('--baseline', 'baseline.yaml', '--report-dir', 'accepted');
  assert.equal(accepted.code, 0, accepted.stdout + accepted.stderr);
  const held = await petstoreHere(
    ['baseline', 'create', 'accepted/results.json', '--out', 'nowhere/b.yaml'],
    { cwd },
  );
  assert.equal(held.code, 2);
  assert.match(held.stderr, /its folder does not exist/);
});

test('an expired deviation is a failure in every report', async (t) => {
  const { code, read, results, run } = await judge(t, '2020-01-31');
  assert.equal(code, 1);
  assert.equal(results.accepted, undefined);
  assert.equal(attribute(readXml(read('junit.xml')), 'failures'), '1');
  const badge = JSON.parse(read('badge.json')) as { color: string; message: string };
  assert.equal(badge.color, 'red');
  assert.match(
    badge.message,
    /^baseline not met, non-conformant 2\/3, selection · \d{1,2} [A-Z][a-z]{2} \d{4}$/,
  );
  assert.deepEqual(
    [results.baseline?.met, results.baseline?.problems.map(({ kind }) => kind)],
    [false, ['expired']],
  );

  const page = await browser.newPage();
  await page.goto(`file://${join(run, 'index.html')}`);
  const head = (await page.locator('header.head').innerText()).replaceAll(/\s+/g, ' ');
  assert.match(
    head,
    /^The baseline is not met\. The baseline accepted list-limit-default as failed until 2020-01-31/,
  );
  assert.match(head, /Baseline not met; not conformant/);
});

test('a baseline with an entry too many is the first thing on the page', async (t) => {
  const { code, stdout, run, read } = await judge(t, '2099-01-31', []);
  assert.equal(code, 1);
  assert.match(stdout, /^BASELINE NOT MET {2}see the end\nCONFORMANT {2}/m);
  assert.equal(attribute(readXml(read('junit.xml')), 'failures'), '1', 'the entry');
  assert.match(read('junit.xml'), /<testcase name="baseline list-limit-default"/);
  const page = await browser.newPage();
  await page.goto(`file://${join(run, 'index.html')}`);
  const head = (await page.locator('header.head').innerText()).replaceAll(/\s+/g, ' ');
  assert.match(
    head,
    /^The baseline is not met\. The baseline accepts list-limit-default as failed, but it passed\./,
  );
  assert.equal(await page.locator('#fix h2').innerText(), 'The baseline to correct');
  assert.match(await page.title(), /^Baseline not met; /);
});

test('a baseline accepts what was found, and no other mistake of the same requirement', async (t) => {
  const cwd = folder(t);
  const run = async (flaw: string, ...words: readonly string[]) => {
    const server = await reference(t, { flaws: [flaw] });
    const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
    return petstoreHere(['run', '--target', file, '--requirement', 'create-invalid-value', ...words], {
      cwd,
      env,
    });
  };
  assert.equal((await run('category-string-taken', '--report-dir', 'one')).code, 1);
  assert.equal(
    (await petstoreHere(['baseline', 'create', 'one', '--expires', '2099-01-31'], { cwd })).code,
    0,
  );
  const draft = readFileSync(join(cwd, 'baseline.yaml'), 'utf8');
  assert.match(draft, /outcome: failed\n {4}found: # .*\n {6}- 'createPet categoryId="#": 201'\n {4}reason:/);
  const agreed = draft
    .replace("reason: ''", 'reason: agreed')
    .replace("link: ''", 'link: https://tracker.example.com/1');
  writeFileSync(join(cwd, 'baseline.yaml'), agreed);

  const same = await run('category-string-taken', '--baseline', 'baseline.yaml', '--report-dir', 'same');
  assert.equal(same.code, 0, same.stderr);
  const other = await run('status-number-taken', '--baseline', 'baseline.yaml', '--report-dir', 'other');
  assert.equal(other.code, 1);
  const said = other.stderr.replaceAll(/\s+/g, ' ');
  assert.match(
    said,
    /The baseline accepts create-invalid-value for other findings\. This run also found: createPet status=1: 201\./,
  );
  const compared = await petstoreHere(['compare', 'one', 'other'], { cwd });
  assert.equal(compared.code, 1);
  assert.match(compared.stdout, /failing on both, in different ways: create-invalid-value/);

  writeFileSync(join(cwd, 'baseline.yaml'), agreed.replace(/ {4}found:.*\n.*\n/, ''));
  const older = await run('status-number-taken', '--baseline', 'baseline.yaml', '--report-dir', 'older');
  assert.equal(older.code, 0, older.stderr);
  assert.match(
    older.stderr.replaceAll(/\s+/g, ' '),
    /The entry of create-invalid-value has no "found", so any finding/,
  );
});
