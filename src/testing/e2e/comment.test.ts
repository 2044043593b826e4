import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  exampleLog,
  exampleResults,
  violated,
  type ExampleChanges,
} from '../../report/example-run.test.support.js';
import { resultsJson } from '../../report/machine/results-json.js';
import { petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';
import { githubApi, pullRequestJob, TOKEN } from './support/github.js';
import { closedPort } from './support/servers.js';

/** Writes the results of a run into a folder. */
function runAt(cwd: string, name: string, changes: ExampleChanges = {}): void {
  mkdirSync(join(cwd, name), { recursive: true });
  writeFileSync(join(cwd, name, 'results.json'), resultsJson(exampleResults(changes)));
}

const LINK = ['--link', 'https://github.example.com/pets/store/actions/runs/71/artifacts/3'];
const WORSE = { findings: [violated('list-ok', 'GET /pets got 500 @everyone <img src=x>')] };

describe('comment', () => {
  test('writes the verdict, what got worse since the base branch, and the link; the next run edits it', async (t) => {
    const cwd = folder(t);
    const api = await githubApi(t);
    const env = pullRequestJob(cwd, api.url);
    runAt(cwd, 'base');
    runAt(cwd, 'worse', WORSE);
    const write = (run: string) => petstoreHere(['comment', run, '--before', 'base', ...LINK], { cwd, env });
    const first = await write('worse');
    assert.equal(first.code, 0, first.stderr);
    assert.equal(first.stdout, 'comment         created https://github.example.com/pets/store/pull/7#1\n');
    const [comment] = api.comments;
    const body = comment?.body ?? '';
    assert.match(
      body,
      /^<!-- petstore-conformance run -->\n\n### ❌ Pet Store conformance of staging: not conformant\n/,
    );
    assert.match(
      body,
      /staging does not conform to Pet Store Service Interface 1\.0\.0: 1 of 50 required behaviours fails\./,
    );
    assert.match(
      body,
      /\*\*Since the base branch's last run\*\*\n\n#### staging is worse than the run on .*: newly failing: list-ok\./,
    );
    assert.match(body, /^#### Newly failing \(1\)$/m);
    assert.match(
      body,
      /\[The reports\]\(https:\/\/github\.example\.com\/\S+\/artifacts\/3\) · commit c0ffee012345\n$/,
    );
    assert.doesNotMatch(body, /@everyone|<img/);

    runAt(cwd, 'mended');
    const second = await write('mended');
    assert.match(second.stdout, /^comment +edited /);
    assert.equal(api.comments.length, 1);
    assert.match(comment?.body ?? '', /: conformant\n/);
    assert.ok(api.requests.every((one) => one.endsWith(`Bearer ${TOKEN}`)));
    assert.ok(!(first.stdout + first.stderr + body).includes(TOKEN));
  });

  test('does not compare with a run of another target', async (t) => {
    const cwd = folder(t);
    const api = await githubApi(t);
    const env = pullRequestJob(cwd, api.url);
    const { target } = exampleLog().header;
    const at = (name: string, baseUrl: string): ExampleChanges => ({
      header: { target: { ...target, name, baseUrl } },
    });
    runAt(cwd, 'orders', at('orders', 'https://orders.example.com/v1'));
    runAt(cwd, 'pets', at('127.0.0.1-4711', 'http://127.0.0.1:4711/v1'));
    runAt(cwd, 'pets-before', at('127.0.0.1-4242', 'http://127.0.0.1:4242/v1'));
    const body = async (before: string): Promise<string> => {
      await petstoreHere(['comment', 'pets', '--before', before], { cwd, env });
      return api.comments[0]?.body ?? '';
    };
    assert.match(await body('orders'), /no earlier run of the base branch/);
    assert.match(await body('pets-before'), /Since the base branch's last run/);
  });

  test('keeps one comment for each use, finds it behind others, and takes nobody else’s', async (t) => {
    const cwd = folder(t);
    const api = await githubApi(t);
    const env = pullRequestJob(cwd, api.url);
    runAt(cwd, 'run');
    api.add('<!-- petstore-conformance a -->\nnot ours', 'User');
    for (let at = 0; at < 120; at += 1) api.add(`chat ${at}`, 'User', 'MEMBER');
    for (const slot of ['a', 'b', 'a', 'b'])
      await petstoreHere(['comment', 'run', '--slot', slot], { cwd, env });
    const own = api.comments.slice(121).map(({ body }) => body.split('\n', 1)[0]);
    assert.deepEqual(own, ['<!-- petstore-conformance a -->', '<!-- petstore-conformance b -->']);
    assert.match(api.comments[0]?.body ?? '', /not ours/);
    assert.match(api.comments[121]?.body ?? '', /no earlier run of the base branch/);
  });

  test('replaces the comment of a run without a result, so that no old verdict stays', async (t) => {
    const cwd = folder(t);
    const api = await githubApi(t);
    const env = pullRequestJob(cwd, api.url);
    runAt(cwd, 'run');
    await petstoreHere(['comment', 'run'], { cwd, env });
    mkdirSync(join(cwd, 'cut'));
    writeFileSync(join(cwd, 'cut/results.json'), '{"schemaVersion":1,"verdict":"confor');
    for (const [run, exitCode] of [
      ['nowhere', 2],
      ['cut', 3],
    ] as const) {
      const { code, stderr } = await petstoreHere(['comment', run, '--exit-code', String(exitCode)], {
        cwd,
        env,
      });
      assert.equal(code, 0, stderr);
      assert.equal(api.comments.length, 1);
      const said = `no verdict\n\nNothing was judged (exit code ${exitCode}): see the job.`;
      assert.ok(api.comments[0]?.body.includes(said), api.comments[0]?.body);
    }
  });

  for (const status of [403, 404])
    test(`says once that the token lacks the permission (${status}), and fails nothing`, async (t) => {
      const cwd = folder(t);
      const api = await githubApi(t, status);
      const env = pullRequestJob(cwd, api.url);
      runAt(cwd, 'run');
      const [first, second] = [
        await petstoreHere(['comment', 'run', '--slot', 'a'], { cwd, env }),
        await petstoreHere(['comment', 'run', '--slot', 'b'], { cwd, env }),
      ];
      assert.deepEqual([first.code, second.code], [0, 0]);
      assert.equal(
        first.stderr,
        `::notice title=Conformance::No comment was written: the token may not write comments (${status}); give the job the permission pull-requests: write. The verdict stands.\n`,
      );
      assert.equal(second.stderr + second.stdout, '');
    });

  test('prints the comment outside a pull request, and survives a server that is out of reach', async (t) => {
    const cwd = folder(t);
    runAt(cwd, 'run');
    const printed = await petstoreHere(['comment', 'run'], { cwd });
    assert.equal(printed.code, 0);
    assert.match(printed.stdout, /^<!-- petstore-conformance run -->/);
    assert.match(printed.stderr, /^No comment was written: this is no job of GitHub Actions\./);
    const gone = pullRequestJob(cwd, (await closedPort()).replace('/v1', ''));
    const lost = await petstoreHere(['comment', 'run'], { cwd, env: gone });
    assert.equal(lost.code, 0);
    assert.match(lost.stderr, /GitHub could not be reached \(ECONNREFUSED\)/);
    const plain = pullRequestJob(folder(t), 'http://github.example.com/api/v3');
    assert.match(
      (await petstoreHere(['comment', 'run'], { cwd, env: plain })).stderr,
      /GITHUB_API_URL is no https address/,
    );
  });
});
