import { parentPort, workerData } from 'node:worker_threads';
import type { Happening } from './hunt.js';
import { huntsOf } from './hunts.js';
import type { Lane } from './lanes.js';
import { search } from './search.js';

/** A worker of the hunt: goes on the hunts of its lane, and tells of each case. */

const lane = workerData as Lane;
// A port of a worker knows no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const say = (happening: Happening): void => parentPort?.postMessage(happening);
const hunts = lane.names.flatMap((name) => huntsOf(name, lane.spends));

// Hunts that wait do it side by side; those that work share the time, and what one leaves over is the next one's.
if (lane.spends === 'waits') await Promise.all(hunts.map((hunt) => hunt((it) => search(it, lane, say))));
else
  for (const [at, hunt] of hunts.entries()) {
    const now = Date.now();
    const until = now + (lane.until - now) / (hunts.length - at);
    await hunt((it) => search(it, { ...lane, until }, say));
  }
