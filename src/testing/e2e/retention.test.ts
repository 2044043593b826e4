import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exampleResults } from '../../report/example-run.test.support.js';
import { resultsJson } from '../../report/machine/results-json.js';
import { petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';

/** Writes the folder of one night's run, with further files. */
function night(
  reports: string,
  name: string,
  day: string,
  changes: object = {},
  ...files: readonly string[]
): void {
  const results = { ...exampleResults(), startedAt: `2026-08-${day}T01:00:00.000Z`, ...changes };
  mkdirSync(join(reports, name), { recursive: true });
  writeFileSync(join(reports, name, 'results.json'), resultsJson(results));
  writeFileSync(join(reports, name, 'log.ndjson'), '{"type":"header"}\n');
  for (const file of files) writeFileSync(join(reports, name, file), '');
}

test('history --keep removes only the oldest runs of each target', async (t) => {
  const cwd = folder(t);
  const [reports, elsewhere] = [join(cwd, 'reports'), join(cwd, 'elsewhere')];
  const { target } = exampleResults();
  for (const day of ['01', '02', '03', '04']) night(reports, `n${day}`, day);
  night(reports, 'certified', '01', {}, 'certificate.json');
  night(reports, 'noted', '01', {}, 'baseline.yaml');
  night(reports, 'going', '01', { complete: false });
  night(reports, 'other', '01', { target: { ...target, name: 'production' } });
  night(elsewhere, 'linked', '01');
  symlinkSync(join(elsewhere, 'linked'), join(reports, 'linked'));
  mkdirSync(join(reports, 'mine'));
  writeFileSync(join(reports, 'mine/results.json'), '{}');
  const all = readdirSync(reports);

  const history = ['history', 'reports', '--keep', '2'];
  const planned = await petstoreHere([...history, '--dry-run'], { cwd });
  assert.equal(planned.code, 0, planned.stderr);
  assert.match(planned.stdout, /^would remove {4}reports\/n01\nwould remove {4}reports\/n02$/m);
  assert.deepEqual(readdirSync(reports), all, 'nothing is written and nothing removed');

  const { code, stdout } = await petstoreHere(history, { cwd });
  assert.equal(code, 0);
  assert.match(stdout, /^removed {9}reports\/n01\nremoved {9}reports\/n02$/m);
  assert.match(stdout, /^kept +reports\/certified: its certificate needs it$/m);
  assert.match(stdout, /^kept +reports\/noted: it holds baseline\.yaml, which no run wrote$/m);
  assert.match(stdout, /^kept +reports\/going: it may still be running$/m);
  assert.match(stdout, /^2 runs were removed: older than the newest 2 runs of each target\.$/m);
  assert.deepEqual(
    readdirSync(reports),
    [...all.filter((name) => !/^n0[12]$/.test(name)), 'history.html'].toSorted(),
  );
  assert.ok(existsSync(join(elsewhere, 'linked/log.ndjson')));

  for (const words of [['--keep', '0'], ['--keep', 'all'], ['--dry-run']]) {
    const refused = await petstoreHere(['history', 'reports', ...words], { cwd });
    assert.equal(refused.code, 2, refused.stdout);
  }
});
