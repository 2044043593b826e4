import type { OperationName } from '../../../base/interface/types.js';
import { minuteMs, mostInOneWindow, OWN_PROBES, type Figures } from '../../../judge/limits/bounds.js';
import { allowedAgain, returnsIn } from '../../../judge/limits/key-samples.js';
import type { ConcurrentSeries } from '../../../judge/limits/series.js';
import { refusalMarks } from '../burst/sentence.js';
import type { KeyRun, Outcome } from '../key-run.js';
import { burstsOf, nextBurstAt } from '../../../judge/limits/further-bursts.js';
import { BEYOND, burstStart, connectionsFor, latencyOf } from '../bursting/pace.js';
import { count, counted } from '../../../base/kernel/format.js';
import { acrossWindows, refilledMeanwhile } from '../../../judge/limits/allowed-words.js';
import {
  bySending,
  wasRefused,
  wasServed,
  type Sample,
  servedIn,
  refusedIn,
} from '../../../judge/limits/sample.js';
import type { Lab, Turn } from '../../load/lab.js';
import { openSeries } from '../open-series.js';
import { EDGE_ROUNDS, pressAtEdge } from './edge.js';
import type { KeySession } from '../../load/key-session.js';
import { MOST_UNCERTAIN } from '../../load/refusal-bound.js';

/** Returns the size of the concurrent burst: the limit, the refill meanwhile, and a tenth (at least three). */
export const concurrentRequests = (figures: Figures, expectedMs: number): number =>
  Math.ceil(mostInOneWindow(figures, expectedMs) + Math.max(BEYOND, figures.perMinute / 10));

/** Describes the burst: "60 of 79 parallel requests allowed, 19 refused (20 connections)." */
export function concurrentSentence({ samples, connections }: ConcurrentSeries, figures: Figures): string {
  const served = servedIn(samples);
  const over =
    served > figures.perMinute
      ? acrossWindows(bySending(samples), figures) ||
        refilledMeanwhile(samples, figures) ||
        ` (the plan has ${count(figures.perMinute)})`
      : '';
  const refused = `${count(refusedIn(samples))} refused (${counted(connections, 'connection')})`;
  return `${count(served)} of ${count(samples.length)} parallel requests allowed${over}, ${refused}.`;
}

/** Factor on latency: connections share what the server can do. */
const SLOWER_THAN_THOUGHT = 2;
/** Most room in a window, as a share. A longer burst starts anyway: no window has more room. */
const MOST_ROOM = 1 / 2;
/** Extra time of a burst, ms. */
const BESIDES_MS = 100;

/** Sends parallel requests when the allowance is back. */
export async function sendTogether({ session, lab, record }: KeyRun): Promise<Outcome | null> {
  const { figures } = session;
  const key = record();
  const latest = session.samples().at(-1);
  if (allowedAgain(key) === null || latest === undefined) return null;
  const soonest = nextBurstAt(burstsOf(key), latest, key, lab.clock());
  // Its retry and a probe may count in the same window.
  const gotBefore =
    servedIn(key.burst?.samples ?? []) -
    Math.min(OWN_PROBES, returnsIn(key.recoveries).filter(wasServed).length);
  const latencyMs = latencyOf(key.burst?.samples ?? [], figures);
  const series = await lab.inTurn((turn) =>
    concurrent({ session, lab, turn }, { soonest, latest, latencyMs, gotBefore }),
  );
  if (series === null) return null;
  const last = series.samples
    .filter(wasRefused)
    .toSorted((one, other) => other.answeredAt - one.answeredAt)[0];
  return {
    series: { concurrent: series },
    sentence: concurrentSentence(series, figures),
    marks: refusalMarks(last),
  };
}

interface Known {
  /** When the allowance should be back, Unix ms. */
  readonly soonest: number;
  /** The key's last response, which shows when its window ends. */
  readonly latest: Sample;
  readonly latencyMs: number;
  /** Requests allowed in the first burst. */
  readonly gotBefore: number;
}

/**
 * Uses up the allowance, then sends parallel requests at its edge, as `ConcurrentSeries` describes. It stops
 * at the first 429.
 */
async function concurrent(
  { session, lab, turn }: { readonly session: KeySession; readonly lab: Lab; readonly turn: Turn },
  { soonest, latest, latencyMs, gotBefore }: Known,
): Promise<ConcurrentSeries | null> {
  const { figures, key } = session;
  const connections = Math.max(MOST_UNCERTAIN, connectionsFor(latencyMs, figures));
  const expectedMs =
    (SLOWER_THAN_THOUGHT * figures.perMinute * latencyMs) / connections + EDGE_ROUNDS * latencyMs;
  // Connections that share a processor are together no faster than one.
  const roomMs = Math.max(expectedMs, Math.min(figures.perMinute * latencyMs, MOST_ROOM * minuteMs(figures)));
  const windowEnd = latest.answeredAt + minuteMs(figures);
  const what = `the full allowance of the ${key} plan, before parallel requests`;
  if (!(await turn.leaveUntil(soonest, what))) return null;
  while (lab.now() < windowEnd) {
    const start = burstStart(latest, figures, lab.clock(), { burstMs: roomMs + BESIDES_MS, now: lab.now() });
    if (start <= lab.now()) break;
    if (!(await turn.leaveUntil(start, what))) return null;
  }
  const begun = lab.now();
  const series = openSeries('concurrent', session, lab);
  // What takes longer than a window shows nothing more.
  const elapsedMs = (): number => Math.min(lab.now() - begun, minuteMs(figures));
  const ceiling = (): number => concurrentRequests(figures, Math.max(expectedMs, elapsedMs()));
  const atTheEdge = notYetRefused(session, lab);
  const together = await pressAtEdge(series, { gotBefore, connections, atTheEdge, ceiling });
  return { samples: bySending(series.samples), together, connections, end: series.end() };
}

/** Returns the operations of which no request of the key got 429 yet; all if each got one. */
function notYetRefused(session: KeySession, { operations }: Lab): readonly OperationName[] {
  const refused = new Set(
    session.samples().flatMap((sample) => (wasRefused(sample) ? [sample.operation] : [])),
  );
  const left = operations.filter((operation) => !refused.has(operation));
  return left.length > 0 ? left : operations;
}
