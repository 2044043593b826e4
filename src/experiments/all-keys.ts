import pLimit from 'p-limit';
import type { OperationName } from '../contract/types.js';
import type { KeySeries, OtherKeyProbe } from '../limits/series.js';
import { type Drive, openKeyRun, type KeyRun } from './key-run.js';
import { sinkOf, type Lab } from '../load/lab.js';
import type { KeySession } from '../load/key-session.js';
import { freshAnswer } from './burst/first-answer.js';
import { needsSpread } from './steady/spread.js';
import { driveAfterRefusal } from './after-refusal.js';
import { steadily } from './steady/fresh-burst.js';
import { burst, type Burst } from './burst/drive.js';
import { burstSentence, refusalMarks } from './burst/sentence.js';
import { mayCount, wasRefused, samplesOf } from '../limits/sample.js';
import { dayQuota, daySentence } from './day-quota/drive.js';
import { spread, spreadSentence } from './window/drive.js';

/** Runs one key's profiles, in an order in which none spoils the next. Ends early if a profile demands it. */
async function driveKey(session: KeySession, lab: Lab, drive: Drive): Promise<KeySeries> {
  const keyRun = openKeyRun(session, lab, drive);
  let soFar = { isSound: true, latencyMs: 0 };
  if (drive.profiles.has('burst')) soFar = await burstAndBack(keyRun);
  else drive.afterBurst();
  if (soFar.isSound && !lab.signal.aborted) await spreadOut(keyRun, soFar.latencyMs);
  if (drive.profiles.has('steady') && !lab.signal.aborted) await steadily(keyRun, soFar);
  if (drive.day !== null && !lab.signal.aborted) {
    const startedAt = lab.now();
    const series = await dayQuota(session, lab, {
      place: drive.day,
      earlier: drive.earlier,
      record: (sample) => drive.record('day-quota', sample),
    });
    keyRun.add({ dayQuota: series });
    drive.report('day-quota', startedAt, daySentence(series, session.figures));
  }
  return keyRun.sofar();
}

/** Runs the first burst and recovery. `isSound` is true if it was a burst and the key was allowed again. */
async function burstAndBack(keyRun: KeyRun): Promise<{ readonly isSound: boolean; readonly latencyMs: number }> {
  const { session, lab, drive, add } = keyRun;
  const startedAt = lab.now();
  const first = await burst(session, lab, drive);
  const { samples, end } = first.series;
  const refusal = samples.find(wasRefused);
  const asksOther = refusal !== undefined && !lab.signal.aborted;
  const otherKeys = asksOther && drive.askOther !== null ? [await drive.askOther()] : [];
  add({ burst: { ...first.series, otherKeys } });
  const sentence = burstSentence(samples, session.figures, servedBefore(keyRun, first));
  drive.report('burst', startedAt, sentence, refusalMarks(refusal));
  drive.afterBurst();
  const isRefused = refusal !== undefined && end === 'refused';
  return { isSound: isRefused && (await driveAfterRefusal(keyRun, first)), latencyMs: first.latencyMs };
}

/** Runs the spread if the bursts leave open whether each request extends its window. */
async function spreadOut({ session, lab, drive, add, sofar }: KeyRun, latencyMs: number): Promise<void> {
  const before = sofar();
  const all = samplesOf(before);
  if (!drive.profiles.has('window') || !needsSpread(before, all)) return;
  if (all.length + session.figures.perMinute > session.figures.perDay) return;
  const startedAt = lab.now();
  const series = await spread(session, lab, latencyMs);
  add({ spread: series });
  if (series !== null) drive.report('window', startedAt, spreadSentence(series));
}

/** Counts the requests that this run got with the key in the burst's window, before it and in no series. */
function servedBefore({ session, drive }: KeyRun, { series }: Burst): number {
  const until = series.samples[0]?.sentAt ?? 0;
  const since = until - session.figures.minuteSeconds * 1000;
  const own = new Set(series.samples);
  return [...drive.earlier, ...session.samples()].filter(
    (sample) => mayCount(sample) && !own.has(sample) && sample.sentAt >= since && sample.sentAt < until,
  ).length;
}

/** Options of one key that do not depend on other keys. */
export type OwnDrive = Omit<Drive, 'refusalOperation' | 'spreads' | 'askOther' | 'afterBurst'>;

/** Operation for each plan's first 429, smallest plan first: there a creation that is not refused costs least. */
const REFUSALS: readonly OperationName[] = ['createPet', 'getPet', 'listPets'];

/**
 * Runs all plans' keys in parallel, smallest plan first. Only the smallest plan's burst runs alone: it probes the next
 * plan's key before and after, and no other load may affect that key.
 */
export async function driveAllKeys(
  sessions: readonly KeySession[],
  lab: Lab,
  driveOf: (session: KeySession) => OwnDrive,
): Promise<readonly KeySeries[]> {
  const [smallest, witness] = sessions;
  if (smallest === undefined) return [];
  const bursts = driveOf(smallest).profiles.has('burst');
  const askOther = witness !== undefined && bursts && !lab.signal.aborted ? await watchedBy(witness, lab) : null;
  let release: (() => void) | undefined;
  const released = new Promise<void>((open) => (release = open));
  const letOthersIn = (): void => release?.();

  const drive = async (session: KeySession, place: number): Promise<KeySeries> => {
    const isFirst = session === smallest;
    if (!isFirst) await released;
    try {
      return await driveKey(session, lab, {
        ...driveOf(session),
        refusalOperation: refusalOperationOf(place, lab.operations),
        // The others wait for the smallest plan's burst: with others it is not drawn out.
        spreads: !isFirst || witness === undefined,
        askOther: isFirst ? askOther : null,
        afterBurst: isFirst ? letOthersIn : () => undefined,
      });
    } finally {
      letOthersIn();
    }
  };
  const limit = pLimit(sessions.length);
  return Promise.all(sessions.map((session, place) => limit(drive, session, place)));
}

/** Sends a request with a key and returns a function for a second one; null if the first was not allowed. */
async function watchedBy(witness: KeySession, lab: Lab): Promise<(() => Promise<OtherKeyProbe>) | null> {
  const before = await freshAnswer(witness, lab);
  if (before === null) return null;
  return async () => {
    const during = await witness.ask('listPets', sinkOf('burst', witness.figures));
    return { key: witness.key, figures: witness.figures, before, ownSince: 1, during };
  };
}

const refusalOperationOf = (place: number, operations: readonly OperationName[]): OperationName => {
  const inScope = REFUSALS.filter((operation) => operations.includes(operation));
  return inScope[Math.min(place, inScope.length - 1)] ?? 'listPets';
};
