import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../base/kernel/package.js';

interface Locked {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly peer?: boolean;
  readonly deprecated?: string;
  readonly hasInstallScript?: boolean;
  readonly engines?: { readonly node?: string };
}

const read = (name: string): string => readFileSync(join(packageRoot(), name), 'utf8');
const { dependencies, devDependencies, allowScripts } = JSON.parse(read('package.json')) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
};
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
const document = read('docs/dependencies.md');

const installed = Object.entries(packages).filter(
  ([path, { dev, devOptional, optional, peer }]) => path !== '' && !(dev || devOptional || optional || peer),
);

/** An alternative may need a newer Node if another allows the oldest Node of the kit. */
const isForOldest = (node: string | undefined): boolean =>
  node === undefined || !/>=\s*2[1-9]/.test(node) || node.includes('20');

/** Raise this only with the reason in the document. */
const MOST_PACKAGES = 120;

test('docs/dependencies.md lists exactly the direct dependencies, each with a reason', () => {
  const rows = document.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
  assert.deepEqual(named.toSorted(), Object.keys(dependencies).toSorted());
  for (const row of rows) assert.match(row.split('|')[2] ?? '', /\w+ \w+|`\w+/, row);
});

test('docs/dependencies.md states the number of installed packages', () => {
  assert.ok(installed.length <= MOST_PACKAGES, `${installed.length}`);
  assert.match(document, new RegExp(`in ${installed.length} packages`));
});

test('no installed package is deprecated, has an install script or rejects Node 20', () => {
  for (const [path, { deprecated, hasInstallScript, engines }] of installed) {
    assert.equal(deprecated, undefined, path);
    assert.ok(!hasInstallScript, path);
    assert.ok(isForOldest(engines?.node), `${path} ${engines?.node}`);
  }
});

test('no development package is deprecated, and every install script has a decision', () => {
  for (const [path, { hasInstallScript, engines }] of Object.entries(packages)) {
    const name = path.split('node_modules/').at(-1) ?? '';
    assert.ok(
      !hasInstallScript || name in allowScripts,
      `${name} has an install script that nobody has decided on`,
    );
    assert.ok(isForOldest(engines?.node), `${path} ${engines?.node}`);
  }
  for (const name of [...Object.keys(dependencies), ...Object.keys(devDependencies)])
    assert.equal(packages[`node_modules/${name}`]?.deprecated, undefined, name);
});
