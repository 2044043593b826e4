import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { packageRoot } from '../base/kernel/package.js';
import {
  array,
  closed,
  faultIn,
  integer,
  oneOf,
  optional,
  refined,
  someText,
  string,
  type Of,
} from '../base/kernel/shape.js';

/** Name of an object, as in DNS: lower case. */
const name = string({ minLength: 1, maxLength: 63, pattern: '^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$' });
/** An amount of a resource, such as `500m` or `512Mi`. */
const quantity = string({ minLength: 1, pattern: '^[0-9]+(?:\\.[0-9]+)?(?:m|[kMGT]i?)?$' });
const amounts = closed({ cpu: optional(quantity), memory: optional(quantity) });

const container = closed({
  name,
  image: someText,
  command: array(someText),
  args: array(someText),
  env: array(
    closed({ name: string({ minLength: 1, pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }), value: string() }),
  ),
  envFrom: array(closed({ secretRef: closed({ name }) })),
  resources: closed({ requests: optional(amounts), limits: optional(amounts) }),
  volumeMounts: array(closed({ name, mountPath: string({ minLength: 1, pattern: '^/[^:]*$' }) })),
});

const volume = closed({
  name,
  configMap: optional(closed({ name })),
  persistentVolumeClaim: optional(closed({ claimName: name })),
});

/**
 * A Job with the members that the manifest uses, and no others, so that a misspelt one shows. Kubernetes API
 * reference: Job v1 (batch), PodSpec and Container v1 (core).
 */
const JOB = closed({
  apiVersion: oneOf(['batch/v1']),
  kind: oneOf(['Job']),
  metadata: closed({ name }),
  spec: closed({
    completionMode: oneOf(['NonIndexed', 'Indexed']),
    completions: integer(0),
    parallelism: integer(0),
    backoffLimit: integer(0),
    template: closed({
      spec: closed({
        // A Job's pods are not restarted for ever.
        restartPolicy: oneOf(['OnFailure', 'Never']),
        containers: refined(array(container), { minItems: 1 }),
        volumes: array(volume),
      }),
    }),
  }),
});

const manifest = parse(readFileSync(join(packageRoot(), 'docs/kubernetes-load.yaml'), 'utf8')) as Of<
  typeof JOB
>;

test('the Kubernetes manifest has the members of a Job, of the right types', () => {
  const fault = faultIn(JOB);
  assert.equal(fault(manifest), null);
  const { spec } = manifest;
  for (const wrong of [{ parallelism: '4' }, { paralelism: 4 }, { completionMode: 'indexed' }])
    assert.match(fault({ ...manifest, spec: { ...spec, ...wrong } }) ?? 'none', /^spec/);
});

test('each mounted volume is declared', () => {
  const { containers, volumes } = manifest.spec.template.spec;
  const mounted = containers.flatMap(({ volumeMounts }) => volumeMounts.map((mount) => mount.name));
  assert.deepEqual(mounted.toSorted(), volumes.map((each) => each.name).toSorted());
});

test('the manifest runs each part once and all parts in parallel', () => {
  const { spec } = manifest;
  const pod = spec.template.spec;
  const command = pod.containers[0]?.args.join(' ') ?? '';
  assert.equal(spec.completionMode, 'Indexed');
  assert.equal(spec.backoffLimit, 0);
  assert.equal(pod.restartPolicy, 'Never');
  assert.equal(spec.parallelism, spec.completions);
  assert.match(
    command,
    new RegExp(`--slice "\\$\\(\\(JOB_COMPLETION_INDEX \\+ 1\\)\\)/${spec.completions}"`),
  );
  assert.match(command, /test \$\? -eq 3$/);
});
