import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { parse } from 'yaml';
import { packageRoot } from '../base/kernel/package.js';

const manifest = parse(readFileSync(join(packageRoot(), 'docs/kubernetes-load.yaml'), 'utf8')) as ConstructorParameters<
  typeof Job
>[0] & {};

test('the Kubernetes manifest follows the schema of a Job', () => {
  new Job(manifest).validate();
  assert.throws(
    () => new Job({ ...manifest, spec: { ...manifest.spec, parallelism: '4' as never } as never }).validate(),
    /parallelism/,
  );
});

test('the manifest runs each part once and all parts in parallel', () => {
  const { spec } = manifest;
  const pod = spec?.template.spec;
  const command = pod?.containers[0]?.args?.join(' ') ?? '';
  assert.equal(spec?.completionMode, 'Indexed');
  assert.equal(spec.backoffLimit, 0);
  assert.equal(pod?.restartPolicy, 'Never');
  assert.equal(spec.parallelism, spec.completions);
  assert.match(command, new RegExp(`--slice "\\$\\(\\(JOB_COMPLETION_INDEX \\+ 1\\)\\)/${spec.completions}"`));
  assert.match(command, /test \$\? -eq 3$/);
});
