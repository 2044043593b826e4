import assert from 'node:assert/strict';
import { startAltered } from '../../proof/index.js';
import { exploreAlone } from '../../proof/selftest/without-suites.js';
import { targetOf } from '../../proof/selftest/run-trial.js';
import type { RunLog } from '../../log/run-log.js';
import { pathsOf } from './replay-paths.js';

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

/**
 * Asserts that exploring with a seed fetches every animal from before the run, and replays a fault of one of
 * them.
 */
export async function fetchesEveryResident(seed: number): Promise<void> {
  const flawed = { flaws: ['one-late-old-animal-falls-over'] };
  const { log, byPath } = await explored(flawed, { seed });
  const residents = Array.from({ length: 48 }, (_, at) => String(at + 1));
  assert.deepEqual(
    residents.filter((id) => !(`GET /v1/pets/${id}` in byPath)),
    [],
  );
  assert.deepEqual(log.explored?.residents, { shown: 48, fetched: 48 });
  const [found] = violated(log).filter(({ requirement }) => requirement === 'get-ok');
  assert.ok(found?.story && found.story.seen > 1, JSON.stringify(violated(log)));
  const replay = pathsOf(found.story.replay.replace(`${seed}:`, ''));
  const again = await explored(flawed, { seed, requests: 20, replay });
  assert.deepEqual(
    violated(again.log).flatMap(({ requirement, story }) => (story ? [requirement] : [])),
    ['get-ok'],
  );
  assert.deepEqual(violated((await explored({}, { seed, requests: 20, replay })).log), []);
}
