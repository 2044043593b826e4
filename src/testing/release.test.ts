import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { packageRoot } from '../base/kernel/package.js';
import { folder } from './e2e/support/folder.js';

interface Release {
  readonly jobs: {
    readonly publish: { readonly steps: readonly { readonly name?: string; readonly run?: string }[] };
  };
}

interface Manifest {
  readonly repository?: object;
  readonly homepage?: string;
  readonly bugs?: object;
}

const ADDRESS = 'https://github.com/Owner/name';

test('a release names the repository that it comes from in package.json', (t) => {
  const cwd = folder(t);
  copyFileSync(join(packageRoot(), 'package.json'), join(cwd, 'package.json'));
  const workflow = readFileSync(join(packageRoot(), '.github/workflows/release.yml'), 'utf8');
  const { steps } = (parse(workflow) as Release).jobs.publish;
  const at = steps.findIndex(({ name }) => name === 'The package names its repository');
  execFileSync('sh', ['-ec', steps[at]?.run ?? 'false'], { cwd, env: { ...process.env, ADDRESS } });
  const { repository, homepage, bugs } = JSON.parse(
    readFileSync(join(cwd, 'package.json'), 'utf8'),
  ) as Manifest;
  assert.deepEqual(
    { repository, homepage, bugs },
    {
      repository: { type: 'git', url: `git+${ADDRESS}.git` },
      homepage: `${ADDRESS}#readme`,
      bugs: { url: `${ADDRESS}/issues` },
    },
  );
  assert.ok(steps.slice(at).some(({ run }) => run?.startsWith('npm publish')));
});
