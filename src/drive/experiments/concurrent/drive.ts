import type { OperationName } from '../../../base/interface/types.js';
import { minuteMs, mostInOneWindow, type Figures } from '../../../judge/limits/bounds.js';
import { allowedAgain } from '../../../judge/limits/key-samples.js';
import type { ConcurrentSeries } from '../../../judge/limits/series.js';
import { leeway } from '../../../judge/limits/timing.js';
import { refusalMarks } from '../burst/sentence.js';
import type { KeyRun, Told } from '../key-run.js';
import { isSurelyWithin, needsSpread, willShow } from '../../../judge/limits/spread.js';
import { burstsOf, nextBurstAt } from '../../../judge/limits/further-bursts.js';
import { BEYOND, burstStart, connectionsFor } from '../bursting/pace.js';
import { count, counted } from '../../../base/kernel/format.js';
import { acrossWindows, refilledMeanwhile } from '../sentences.js';
import { leftBy, bySending, wasRefused, type Sample, servedIn, refusedIn } from '../../../judge/limits/sample.js';
import { endOf, inTurns, sinkOf, type Lab, type Wait } from '../../load/lab.js';
import { EDGE_ROUNDS, pressAtEdge } from './edge.js';
import type { KeySession } from '../../load/key-session.js';

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
  return `${count(served)} of ${count(samples.length)} parallel requests allowed${over}, ${count(refusedIn(samples))} refused (${counted(connections, 'connection')}).`;
}

/** Connections that use up the allowance: more leave less time for refills. Remaining must show that all fit. */
const CONNECTIONS = 20;
/** Factor on latency: connections share what the server can do. */
const SLOWER_THAN_THOUGHT = 2;
/** Most room in a window, as a share. A longer burst starts anyway: no window has more room. */
const MOST_ROOM = 1 / 2;
/** Extra time of a burst, ms. */
const BESIDES_MS = 100;

/** Sends parallel requests when the allowance is back, or in the next window if that also shows what a spread shows. */
export async function sendTogether({ session, lab, drive, sofar, learned }: KeyRun): Promise<Told | null> {
  const { figures } = session;
  const key = sofar();
  const back = allowedAgain(key);
  const latest = session.samples().at(-1);
  if (back === null || latest === undefined) return null;
  const soonest = nextBurstAt(burstsOf(key), latest, key, lab.clock());
  const isOpen = needsSpread(key) && !willShow(key, leftBy(latest, figures) ?? 0);
  const inNextWindow = drive.profiles.has('window') && soonest <= lab.now() && isOpen;
  const at = inNextWindow ? await nextWindow(session, lab, back, latest) : soonest;
  const gotBefore = servedIn(key.burst?.samples ?? []);
  const parts = concurrent(session, lab, at, inNextWindow ? back : latest, learned.latencyMs, gotBefore);
  const series = await inTurns(lab, parts);
  if (series === null) return null;
  const last = series.samples.filter(wasRefused).toSorted((one, other) => other.answeredAt - one.answeredAt)[0];
  return { series: { concurrent: series }, sentence: concurrentSentence(series, figures), marks: refusalMarks(last) };
}

/** Share of a window after which a request bridges two windows, with room for delays on either side. */
const BRIDGES = 0.7;

/**
 * Returns when the window after `served` has begun, Unix ms. Sends one request in between, so that no two are a window
 * apart. With the whole limit allowed in that window, this shows the same as a spread of two windows.
 */
async function nextWindow(session: KeySession, lab: Lab, served: Sample, latest: Sample): Promise<number> {
  const { key, figures } = session;
  const at = Math.max(served.answeredAt + minuteMs(figures) + leeway(figures), lab.now());
  if (isSurelyWithin(latest.sentAt, at, figures)) return at;
  const between = latest.sentAt + BRIDGES * minuteMs(figures);
  if (await lab.pause(between, `a later moment of the ${key} plan's window`))
    await session.ask('listPets', sinkOf('window', figures));
  return at;
}

/**
 * Uses up the allowance, then sends parallel requests at its edge, as `ConcurrentSeries` describes. It stops at the first
 * 429.
 * @param at when the allowance should be back, Unix ms
 * @param latest the key's last response, which shows when its window ends
 * @param gotBefore requests allowed in the first burst
 */
async function* concurrent(
  session: KeySession,
  lab: Lab,
  at: number,
  latest: Sample,
  latencyMs: number,
  gotBefore: number,
): AsyncGenerator<Wait, ConcurrentSeries | null, boolean> {
  const { figures, key } = session;
  const connections = Math.max(CONNECTIONS, connectionsFor(latencyMs, figures));
  const expectedMs = (SLOWER_THAN_THOUGHT * figures.perMinute * latencyMs) / connections + EDGE_ROUNDS * latencyMs;
  // Connections that share a processor are together no faster than one.
  const roomMs = Math.max(expectedMs, Math.min(figures.perMinute * latencyMs, MOST_ROOM * minuteMs(figures)));
  const windowEnd = latest.answeredAt + minuteMs(figures);
  const what = `the full allowance of the ${key} plan, before parallel requests`;
  if (!(yield { at, what })) return null;
  while (lab.now() < windowEnd) {
    const lengthMs = lab.now() - latest.answeredAt + roomMs + BESIDES_MS;
    const start = burstStart(latest, figures, lab.clock(), lengthMs);
    if (start <= lab.now()) break;
    if (!(yield { at: start, what })) return null;
  }
  const begun = lab.now();
  const sink = sinkOf('concurrent', figures);
  // What takes longer than a window shows nothing more.
  const elapsedMs = (): number => Math.min(lab.now() - begun, minuteMs(figures));
  const ceiling = (): number => concurrentRequests(figures, Math.max(expectedMs, elapsedMs()));
  const atTheEdge = notYetRefused(session, lab);
  const together = await pressAtEdge(session, lab, sink, { connections, gotBefore, atTheEdge, ceiling });
  const samples = bySending(sink.samples);
  return { samples, together, connections, end: endOf(samples, lab.signal, 'ceiling') };
}

/** Returns the operations of which no request of the key got 429 yet; all if each got one. */
function notYetRefused(session: KeySession, { operations }: Lab): readonly OperationName[] {
  const refused = new Set(session.samples().flatMap((sample) => (wasRefused(sample) ? [sample.operation] : [])));
  const left = operations.filter((operation) => !refused.has(operation));
  return left.length > 0 ? left : operations;
}
