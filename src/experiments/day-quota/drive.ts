import { appendFileSync, createReadStream, existsSync, rmSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { count } from '../../format/format.js';
import type { DayQuotaSeries, Figures, SeriesEnd } from '../../limits/series.js';
import type { Redact } from '../../exchange/redact.js';
import { type Sample, speaksOfDay, wasRefused, wasServed } from '../../limits/sample.js';
import type { SampleRow } from '../../log/record.js';
import { rowToSample, sampleToRow } from '../../log/run-log.js';
import type { Target } from '../../targets/target.js';
import type { Secret } from '../../targets/secret.js';
import { minuteMs } from '../../limits/bounds.js';
import { clockBounds } from '../../limits/clock.js';
import { folded } from '../../limits/fold.js';
import { isOver, type Lab, progressEvery } from '../../load/lab.js';
import type { KeySession, Sink } from '../../load/key-session.js';
import { paced } from '../../load/paced.js';
import { NO_LEFTS, dayCourse, dayMs, dayOf, type Day } from '../../limits/day.js';
import { retryAt } from '../recovery/waits.js';
import { dayCeiling, steadyPlan } from '../steady/drive.js';

/** "1,000 of 1,000 requests of the day allowed, then 429." */
export const daySentence = ({ course, end }: DayQuotaSeries, figures: Figures): string =>
  `${count(course.served.count)} of ${count(figures.perDay)} requests of the day allowed, ${end === 'refused' ? 'then 429' : 'no 429'}.`;

/** How far a day's allowance has been used, kept across an interruption. */
export interface DayPlace {
  /** What was sent between two times, Unix ms, in order and one by one; rows that cannot be read are left out. */
  read(since: number, until: number): AsyncIterable<Sample>;
  append(samples: readonly Sample[]): void;
  /** The day has been used up: the next run begins anew. */
  forget(): void;
}

/**
 * A place in a file, one row a line; what the target wrote into its headers is redacted. The file is named after a
 * digest of address and key together, so that another server's or another key's day is never taken for this one's.
 * @param directory the folder of the runs: the next run has a folder of its own and must find the file
 */
export function dayPlaceIn(
  directory: string,
  { baseUrl }: Pick<Target, 'baseUrl'>,
  key: Secret,
  redact: Redact,
): DayPlace {
  const digest = createHash('sha256').update(`${baseUrl}\n${key.reveal()}`).digest('hex').slice(0, 16);
  const file = join(directory, `day-quota-${digest}.ndjson`);
  return {
    async *read(since, until) {
      if (!existsSync(file)) return;
      for await (const line of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
        const sample = sampleIn(line);
        if (sample !== null && sample.sentAt >= since && sample.sentAt < until) yield sample;
      }
    },
    append: (samples) => {
      // A line that a crash cut off is ended here, so that it takes nothing with it.
      if (samples.length > 0) appendFileSync(file, samples.map((sample) => `\n${lineOf(sample, redact)}`).join(''));
    },
    forget: () => rmSync(file, { force: true }),
  };
}

const lineOf = (sample: Sample, redact: Redact): string =>
  JSON.stringify(sampleToRow(sample), (_, cell: unknown) => (typeof cell === 'string' ? redact(cell) : cell));

/** A row has this many cells; a last line that a crash cut off has not, or does not parse. */
const CELLS = 10;

function sampleIn(line: string): Sample | null {
  try {
    const row = JSON.parse(line) as SampleRow;
    return Array.isArray(row) && row.length === CELLS ? rowToSample(row) : null;
  } catch {
    return null;
  }
}

/** How often the place is written down, in requests: as many would be lost by a crash. */
const WRITTEN_EVERY = 50;

/** At 95 % of the plan, so much of a window may be made up for within one without reaching the limit. */
const MOST_LATE_SHARE = 0.04;

/** So often the minute's limit may come between: a target that refuses this pace more often is not to be asked on. */
const MOST_WAITS = 5;

/** What a day is used up with. */
interface DayOptions {
  readonly place: DayPlace;
  /** What the run sent with this key before its session was opened. */
  readonly earlier: readonly Sample[];
  /** Is handed every sample in the order of sending: the session keeps none of them. */
  readonly record: (sample: Sample) => void;
}

/**
 * Uses up one plan's day, paced under the minute's limit, as `DayQuotaSeries` describes it. Goes on where an
 * interrupted run left off, and after a refusal that was for the minute's sake.
 */
export async function dayQuota(session: KeySession, lab: Lab, options: DayOptions): Promise<DayQuotaSeries> {
  const { figures, key } = session;
  const { signal } = lab;
  const { place } = options;
  const { gapMs, silenceMs } = steadyPlan(figures, null, null);
  const begun = await begin(session, lab, options);
  let { day } = begun;
  const from = Math.max(lab.now(), begun.lastAnswer + silenceMs / 2);
  if (!(await lab.pause(from, `a fresh minute of the ${key} plan, before its day is used up`))) {
    return { ...day, end: 'interrupted' };
  }
  const fold = dayOf(figures);
  // What was refused before may not have been counted: only what was served certainly used the day up.
  let used = begun.used;
  let sent = 0;
  // With the suites' own, and as answers come, not in the order of sending.
  let served = day.course.served.count;
  let unwritten: Sample[] = [];
  const write = (): void => {
    place.append(unwritten);
    unwritten = [];
  };
  const sink: Sink = {
    profile: 'day-quota',
    inPassing: true,
    // What comes once the day is used up, the rows of the limit judge.
    isPassive: () => served < figures.perDay,
    onAnswer: (sample) => {
      if (wasServed(sample)) served += 1;
    },
    take(sample) {
      day = fold.with(day, sample);
      options.record(sample);
      sent += 1;
      if (wasServed(sample)) used += 1;
      unwritten.push(sample);
      if (unwritten.length >= WRITTEN_EVERY) write();
    },
  };
  const tell = progressEvery(lab, 'day-quota', key, () => `${begun.used + sent} of ${figures.perDay} sent`);

  /** Sends until something is not served, or all has been sent; gives what was not served. */
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
          // Of those under way side by side, the last to be sent says how it ended.
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
  const end = endBy(over, signal);
  if (end === 'refused' || end === 'ceiling') place.forget();
  return { ...day, end };
}

/** A day before its own requests. */
interface Begun {
  readonly day: Day;
  /** Requests that were served of it by this profile and those before it in the run's load. */
  readonly used: number;
  /** Sending of the first of them, and the last answer, Unix ms; null and 0 before any. */
  readonly at: number | null;
  readonly lastAnswer: number;
}

/** Reads what an interrupted run used of the day, and adds what this run has sent with the key. */
async function begin(session: KeySession, lab: Lab, { place, earlier }: DayOptions): Promise<Begun> {
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
  // Whoever goes on after an interruption has to know of these, too: they used the same day.
  place.append(own);
  // Between the runs others may have used the key.
  const course = folded(dayCourse(figures), own, { ...day.course, lefts: NO_LEFTS });
  return {
    // The times of another process say nothing of the server's clock.
    day: { ...day, clock: clockBounds.none, course },
    used: used + samples.filter(wasServed).length,
    at: at ?? samples[0]?.sentAt ?? null,
    lastAnswer: samples.reduce((latest, { answeredAt }) => Math.max(latest, answeredAt), lastAnswer),
  };
}

/** When a refusal that may be for the minute's sake lets the client back, Unix ms; null for any other answer. */
function endOfMinute(over: Sample, { figures }: KeySession, { clock }: Lab): number | null {
  if (!wasRefused(over) || speaksOfDay(over, figures)) return null;
  const { at, capped } = retryAt(over, figures, clock());
  return capped ? null : at;
}

function endBy(over: Sample | null, signal: AbortSignal): SeriesEnd {
  if (over !== null && wasRefused(over)) return 'refused';
  if (signal.aborted) return 'interrupted';
  if (over === null) return 'ceiling';
  return over.status === 0 ? 'transport' : 'unexpected-status';
}
