import assert from 'node:assert/strict';
import { startAltered } from '../../proof/index.js';
import { exploreAlone } from '../../proof/selftest/without-suites.js';
import { targetOf } from '../../proof/selftest/run-trial.js';
import type { RunLog } from '../../log/run-log.js';

/** Explores a server started for it; returns the log and the number of requests that the server received. */
export async function explored(
  start: Parameters<typeof startAltered>[0],
  explore: Partial<Parameters<typeof exploreAlone>[1]>,
  change: (target: ReturnType<typeof targetOf>) => ReturnType<typeof targetOf> = (target) => target,
) {
  const server = await startAltered(start);
  try {
    const target = change(targetOf(server, { minuteSeconds: start?.minuteSeconds ?? 60 }));
    const log = await exploreAlone(target, { requests: 400, animals: 40, seed: 7, ...explore });
    return { log, received: server.requests(), byPath: server.requestsByPath() };
  } finally {
    await server.close();
  }
}

/** Returns the violations that a log holds. */
export const violated = ({ findings }: RunLog) =>
  findings.flatMap((finding) => (finding.kind === 'violated' ? [finding] : []));
/** Asserts that 400 requests with a seed try every class on a correct server, and find nothing wrong. */
export async function coversEveryClass(seed: number): Promise<void> {
  const { log, received } = await explored({}, { seed, animals: 100 });
  assert.ok(received > 350 && received <= 400, String(received));
  const classes = log.explored?.classes ?? [];
  assert.ok(classes.length > 250, String(classes.length));
  assert.deepEqual(
    classes.filter(({ tried }) => tried === 0).map(({ kind, class: name }) => `${kind}: ${name}`),
    [],
    `seed ${seed}`,
  );
  assert.deepEqual(violated(log), []);
}
