import { appendFileSync, createReadStream, existsSync, rmSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { linesOf } from '../../contract/lines.js';
import { count } from '../../format/format.js';
import type { DayQuotaSeries } from '../../limits/series.js';
import type { Redact } from '../../exchange/redact.js';
import {
  describesDay,
  wasRefused,
  wasServed,
  folded,
  type Sample,
  servedIn,
  lastAnswerOf,
} from '../../limits/sample.js';
import { CELLS, type SampleRow } from '../../log/record.js';
import { rowToSample, sampleToRow } from '../../log/run-log.js';
import type { Target } from '../../targets/target.js';
import type { Secret } from '../../targets/secret.js';
import { minuteMs, type Figures } from '../../limits/bounds.js';
import { clockBounds } from '../../limits/clock.js';
import { endOf, isOver, type Lab, progressEvery } from '../../load/lab.js';
import type { KeySession, Sink } from '../../load/key-session.js';
import { paced } from '../../load/paced.js';
import { NO_LEFTS, dayCourse, dayMs, dayOf } from '../../limits/day.js';
import type { Drive, KeyRun, Told } from '../key-run.js';
import { retryAt } from '../recovery/waits.js';
import { dayCeiling, steadyPlan } from '../steady/drive.js';

/** Uses up the day, if this key has one to use up. */
export async function useUpDay({ session, lab, drive }: KeyRun): Promise<Told | null> {
  if (drive.day === null) return null;
  const series = await dayQuota(session, lab, drive, drive.day);
  return { series: { dayQuota: series }, sentence: sentenceOf(series, session.figures) };
}

/** Describes a day: "1,000 of 1,000 requests of the day allowed, then 429." */
const sentenceOf = ({ course, end }: DayQuotaSeries, figures: Figures): string =>
  `${count(course.served.count)} of ${count(figures.perDay)} requests of the day allowed, ${end === 'refused' ? 'then 429' : 'no 429'}.`;

/** Use of a day's allowance, kept across an interruption. */
export type DayPlace = ReturnType<typeof dayPlaceIn>;

/**
 * Keeps the place in a file, one row a line, with header values redacted. A digest of address and key names the file,
 * so that no other server's or key's day is taken for this one's.
 * @param directory the folder of all runs: the next run has its own folder and must find the file
 */
export function dayPlaceIn(directory: string, { baseUrl }: Pick<Target, 'baseUrl'>, key: Secret, redact: Redact) {
  const digest = createHash('sha256').update(`${baseUrl}\n${key.reveal()}`).digest('hex').slice(0, 16);
  const file = join(directory, `day-quota-${digest}.ndjson`);
  return {
    /** Reads the requests between two times, Unix ms, in order; skips unreadable rows. */
    async *read(since: number, until: number): AsyncIterable<Sample> {
      if (!existsSync(file)) return;
      for await (const line of linesOf(createReadStream(file) as AsyncIterable<Buffer>)) {
        const sample = sampleIn(line);
        if (sample !== null && sample.sentAt >= since && sample.sentAt < until) yield sample;
      }
    },
    append: (samples: readonly Sample[]): void => {
      // A new line ends one that a crash cut off, so that it spoils no other.
      if (samples.length > 0) appendFileSync(file, samples.map((sample) => `\n${lineOf(sample, redact)}`).join(''));
    },
    /** Forgets a day that is used up: the next run starts anew. */
    forget: (): void => rmSync(file, { force: true }),
  };
}

const lineOf = (sample: Sample, redact: Redact): string =>
  JSON.stringify(sampleToRow(sample), (_, cell: unknown) => (typeof cell === 'string' ? redact(cell) : cell));

/** Returns the sample of a line; null for one that a crash cut off. */
function sampleIn(line: string): Sample | null {
  try {
    const row = JSON.parse(line) as SampleRow;
    return Array.isArray(row) && row.length === CELLS.length ? rowToSample(row) : null;
  } catch {
    return null;
  }
}

/** Requests between two writes: a crash loses as many. */
const WRITTEN_EVERY = 50;
/** Share of a window that a run at 95 % of the plan may catch up without reaching the limit. */
const MOST_LATE_SHARE = 0.04;
/** Most waits for the minute's limit. A target that refuses this pace more often gets no more requests. */
const MOST_WAITS = 5;

/**
 * Uses up one plan's day, paced under the minute's limit, as `DayQuotaSeries` describes. It continues an interrupted
 * run, and continues after a 429 of the minute.
 */
async function dayQuota(session: KeySession, lab: Lab, drive: Drive, place: DayPlace): Promise<DayQuotaSeries> {
  const { figures, key } = session;
  const { gapMs, silenceMs } = steadyPlan(figures);
  const begun = await begin(session, lab, place, drive.earlier);
  let { day } = begun;
  const from = Math.max(lab.now(), begun.lastAnswer + silenceMs / 2);
  if (!(await lab.pause(from, `a fresh minute of the ${key} plan, before its day is used up`))) {
    return { ...day, end: 'interrupted' };
  }
  const fold = dayOf(figures);
  // A 429 may not have counted: only allowed requests certainly used up the day.
  let used = begun.used;
  let sent = 0;
  // Includes the suites' requests, in order of response, not of sending.
  let served = day.course.served.count;
  let unwritten: Sample[] = [];
  const write = (): void => {
    place.append(unwritten);
    unwritten = [];
  };
  const sink: Sink = {
    profile: 'day-quota',
    inPassing: true,
    // The limit's own requirements judge the responses after the day is used up.
    isPassive: () => served < figures.perDay,
    onAnswer: (sample) => {
      if (wasServed(sample)) served += 1;
    },
    take(sample) {
      day = fold.with(day, sample);
      drive.record('day-quota', sample);
      sent += 1;
      if (wasServed(sample)) used += 1;
      unwritten.push(sample);
      if (unwritten.length >= WRITTEN_EVERY) write();
    },
  };
  const tell = progressEvery(lab, 'day-quota', key, () => `${begun.used + sent} of ${figures.perDay} sent`);

  /** Sends until a request is not allowed or all are sent; returns that response. */
  const send = async (): Promise<Sample | null> => {
    const usedBefore = used;
    let over: Sample | null = null;
    await paced(
      session,
      {
        from: lab.now(),
        gapMs,
        mostLateMs: MOST_LATE_SHARE * minuteMs(figures),
        requests: () => dayCeiling(figures, lab.now() - (begun.at ?? from)) - usedBefore,
        operation: () => 'listPets',
        stopsAt: (sample: Sample) => {
          tell();
          // Of concurrent ones, the one sent last decides how it ended.
          if (isOver(sample) && (over === null || sample.sentAt > over.sentAt)) over = sample;
          return isOver(sample);
        },
      },
      sink,
      lab,
    );
    return over;
  };

  let over = await send();
  for (let waits = 0, before = begun.used; waits < MOST_WAITS && used > before; waits += 1) {
    const back = over === null || used >= figures.perDay ? null : endOfMinute(over, session, lab);
    if (back === null) break;
    before = used;
    if (!(await lab.pause(back, `Retry-After on the ${key} plan, whose minute was used up before its day`))) break;
    over = await send();
  }
  write();
  const end = endOf(over === null ? [] : [over], lab.signal, 'ceiling');
  if (end === 'refused' || end === 'ceiling') place.forget();
  return { ...day, end };
}

/** Reads an interrupted run's use of the day, and adds this run's requests with the key. */
async function begin(session: KeySession, lab: Lab, place: DayPlace, earlier: readonly Sample[]) {
  const { figures } = session;
  const samples = session.samples();
  const own = [...earlier, ...samples];
  const fold = dayOf(figures);
  let day = fold.none;
  let [used, at, lastAnswer] = [0, null as number | null, 0];
  for await (const sample of place.read(lab.now() - dayMs(figures), own[0]?.sentAt ?? lab.now())) {
    day = fold.with(day, sample);
    if (wasServed(sample)) used += 1;
    at ??= sample.sentAt;
    lastAnswer = sample.answeredAt;
  }
  // A later run after an interruption needs these too: they used the same day.
  place.append(own);
  // Others may have used the key between the runs.
  const course = folded(dayCourse(figures), own, { ...day.course, lefts: NO_LEFTS });
  return {
    // Another process's times say nothing about the server's clock.
    day: { ...day, clock: clockBounds.none, course },
    /** Requests of that day allowed to this profile, and to earlier ones of the run's load. */
    used: used + servedIn(samples),
    /** Sending of the first, Unix ms; null before any. */
    at: at ?? samples[0]?.sentAt ?? null,
    lastAnswer: Math.max(lastAnswer, lastAnswerOf(samples)),
  };
}

/** End of the wait after a 429 that may be the minute's, Unix ms; null for any other response. */
function endOfMinute(over: Sample, { figures }: KeySession, { clock }: Lab): number | null {
  if (!wasRefused(over) || describesDay(over, figures)) return null;
  const { at, capped } = retryAt(over, figures, clock());
  return capped ? null : at;
}
