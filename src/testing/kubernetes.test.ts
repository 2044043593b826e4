import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { parseWords } from '../app/cli/parse-words.js';
import { packageRoot } from '../base/kernel/package.js';
import {
  array,
  closed,
  faultIn,
  integer,
  map,
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
const labels = map(name);

const container = closed({
  name,
  image: someText,
  workingDir: string({ pattern: '^/' }),
  command: array(someText),
  args: array(someText),
  envFrom: array(closed({ secretRef: closed({ name }) })),
  resources: closed({ requests: optional(amounts), limits: optional(amounts) }),
});
const containers = refined(array(container), { minItems: 1 });

/*
 * A Deployment and a Job with the members that the manifest uses, and no others, so that a misspelt one shows.
 * Kubernetes API reference: Deployment v1 (apps), Job v1 (batch), PodSpec and Container v1 (core).
 */
const DEPLOYMENT = closed({
  apiVersion: oneOf(['apps/v1']),
  kind: oneOf(['Deployment']),
  metadata: closed({ name }),
  spec: closed({
    replicas: integer(0),
    selector: closed({ matchLabels: labels }),
    // A Deployment's pods are always restarted.
    template: closed({ metadata: closed({ labels }), spec: closed({ containers }) }),
  }),
});
const JOB = closed({
  apiVersion: oneOf(['batch/v1']),
  kind: oneOf(['Job']),
  metadata: closed({ name }),
  spec: closed({
    completions: integer(0),
    parallelism: integer(0),
    backoffLimit: integer(0),
    // A Job's pods are not restarted for ever.
    template: closed({ spec: closed({ restartPolicy: oneOf(['OnFailure', 'Never']), containers }) }),
  }),
});

const [deployment, job, ...more] = parseAllDocuments(
  readFileSync(join(packageRoot(), 'docs/kubernetes-agents.yaml'), 'utf8'),
).map((document): unknown => document.toJS()) as [Of<typeof DEPLOYMENT>, Of<typeof JOB>, ...unknown[]];

test('the Kubernetes manifest has the members of a Deployment and of a Job, of the right types', () => {
  assert.deepEqual([faultIn(DEPLOYMENT)(deployment), faultIn(JOB)(job), more], [null, null, []]);
  for (const wrong of [{ replicas: '4' }, { replica: 4 }, { selector: {} }])
    assert.match(
      faultIn(DEPLOYMENT)({ ...deployment, spec: { ...deployment.spec, ...wrong } }) ?? 'none',
      /^spec/,
    );
  for (const wrong of [{ parallelism: '4' }, { paralelism: 4 }])
    assert.match(faultIn(JOB)({ ...job, spec: { ...job.spec, ...wrong } }) ?? 'none', /^spec/);
});

test('the Deployment selects its own pods, and the Job runs all agents in parallel, once', () => {
  assert.deepEqual(deployment.spec.selector.matchLabels, deployment.spec.template.metadata.labels);
  assert.equal(job.spec.parallelism, job.spec.completions);
  assert.deepEqual([job.spec.backoffLimit, job.spec.template.spec.restartPolicy], [0, 'Never']);
});

for (const { kind, spec } of [deployment, job])
  test(`the ${kind} starts an agent by a command that the kit takes`, () => {
    const [script = ''] = spec.template.spec.containers.flatMap(({ args }) => args);
    const [, words = ''] = /bin\/petstore-conformance (agent .*?)(?: \|\||$)/.exec(script) ?? [];
    const asked = parseWords(words.split(' ').map((word) => word.replaceAll("'", '')));
    assert.ok(asked.kind === 'run', script);
    assert.deepEqual([asked.command.name, asked.args['redis']], ['agent', '${PETSTORE_REDIS_URL}']);
  });
