import type { Finding } from '../../checks/finding.js';
import { isPlanAnswer, wasRefused, wasServed } from '../answers.js';
import type { ServerClock } from '../clock.js';
import { plainInteger } from '../header-number.js';
import { readRetryAfter } from '../retry-after.js';
import type { Sample } from '../sample.js';
import { counted, duration, inconclusive, kept, notApplicable, observed, subject, violated } from '../say.js';
import type { BanSeries, Figures, KeySeries } from '../series.js';
import { isBan, looksBanned, refusesKey } from './ban-signs.js';
import { letsBackAt } from '../lets-back-at.js';

const OBSERVED = 'ban-observed';
const TEMPORARY = 'ban-temporary';
const ONLY_THAT_KEY = 'ban-only-that-key';

/** Where nobody says how long a ban lasts, it is watched for this long. */
export const LONGEST_WATCH_MS = 15 * 60 * 1000;
/** The end of a ban is told in whole seconds, and timers may be late. */
export const GRACE_MS = 1000 + 250;

/** A ban that was seen. */
export interface Ban {
  /** The first answer of the ban. */
  readonly began: Sample;
  /** 429s before it, since the last request that was served. */
  readonly refusals: number;
  /** The last answer before the silence that it is waited out in: what it says of the ban's end counts. */
  readonly last: Sample;
  /** How the limit itself had refused before. */
  readonly limitRefusal: Sample;
  /** The answers of the ban differ from those of the limit. */
  readonly tellsItself: boolean;
}

/**
 * The ban in a series of requests sent on after 429; null when there is none. A ban shows as a refusal of the key
 * itself, as a 429 that no window explains, or, where nothing else tells, as a 429 after the wait that was asked for. The
 * last of those requests may have brought it and been refused by the limit still: then the first answer after that wait
 * is the first that speaks of the ban.
 */
export function banSeen(
  { pushed, watched }: Pick<BanSeries, 'pushed' | 'watched'>,
  figures: Figures,
  clock: ServerClock | null,
): Ban | null {
  const firstRefusal = pushed.findIndex(wasRefused);
  if (firstRefusal === -1) return null;
  const limitRefusal = pushed[firstRefusal];
  const last = pushed.at(-1);
  if (limitRefusal === undefined || last === undefined) return null;
  const place = pushed.findIndex((sample, index) => index > firstRefusal && isBan(sample, limitRefusal, figures));
  const began = pushed[place];
  if (began !== undefined)
    return { began, refusals: pushed.slice(0, place).filter(wasRefused).length, last, limitRefusal, tellsItself: true };
  const back = letsBackAt(last, clock);
  const waitedOut = watched.find(
    (sample) => refusesKey(sample) || (back !== null && sample.sentAt >= back + GRACE_MS) || wasServed(sample),
  );
  if (waitedOut === undefined || wasServed(waitedOut) || waitedOut.status === 0) return null;
  return {
    began: waitedOut,
    refusals: pushed.filter(wasRefused).length,
    last: waitedOut,
    limitRefusal,
    tellsItself: isBan(waitedOut, limitRefusal, figures),
  };
}

/** The ban is over: the key is served, or refused as the limit does, which counts on while the ban lasts. */
const isOver = (answer: Sample, ban: Ban, figures: Figures): boolean =>
  wasServed(answer) || (ban.tellsItself && wasRefused(answer) && !isBan(answer, ban.limitRefusal, figures));

/** When a ban has to be over, in our time: when its answers say, and no later than the operator promises. */
export function banDeadline(
  { began, last }: Ban,
  declaredSeconds: number | null,
  clock: ServerClock | null,
): number | null {
  // Reset speaks of a window, and a wait that cannot be read of nothing.
  const isTold = ['seconds', 'date'].includes(readRetryAfter(last.retryAfter).kind);
  const told = isTold ? letsBackAt(last, clock) : null;
  const declared = declaredSeconds === null ? null : began.answeredAt + declaredSeconds * 1000;
  if (told === null || declared === null) return told ?? declared;
  return Math.min(told, declared);
}

function temporary(key: KeySeries, series: BanSeries, ban: Ban, clock: ServerClock | null): Finding {
  const name = subject(key.key);
  const deadline = banDeadline(ban, series.declaredSeconds, clock);
  const end = series.watched.find((sample) => isOver(sample, ban, key.figures));
  const lasted = (sample: Sample): string => duration(sample.sentAt - ban.began.answeredAt);
  const overdue = series.watched.find(
    (sample) =>
      deadline !== null &&
      !isOver(sample, ban, key.figures) &&
      sample.status !== 0 &&
      sample.sentAt >= deadline + GRACE_MS,
  );
  if (overdue !== undefined && deadline !== null) {
    return violated(
      TEMPORARY,
      `${name}'s ban does not end when it should.`,
      `served ${duration(deadline - ban.began.answeredAt)} after the ban began`,
      `${overdue.status} after ${lasted(overdue)}`,
    );
  }
  if (end !== undefined) return kept(TEMPORARY, `The ban was over after ${lasted(end)}.`);
  const last = series.watched.at(-1);
  if (last !== undefined && last.sentAt - ban.began.answeredAt >= LONGEST_WATCH_MS) {
    return inconclusive(
      TEMPORARY,
      'too-little-data',
      `The ban still held after ${lasted(last)}, and nobody says how long it lasts.`,
    );
  }
  return inconclusive(TEMPORARY, 'too-little-data', 'The ban was not watched to its end.');
}

function onlyThatKey(series: BanSeries, ban: Ban, figures: Figures): Finding {
  const end = series.watched.find((sample) => isOver(sample, ban, figures))?.sentAt ?? Infinity;
  const during = series.otherKeys.filter(
    ({ during }) => during.sentAt >= ban.began.answeredAt && during.answeredAt <= end,
  );
  const hit = during.find(({ during, before, figures }) => {
    if (during.status === 401 || during.status === 403) return true;
    const left = plainInteger(before?.remaining ?? null);
    // An exhausted key is refused by its own limit.
    return wasRefused(during) && (looksBanned(during, figures) || (left !== null && left > 2));
  });
  if (hit !== undefined) {
    return violated(
      ONLY_THAT_KEY,
      'A ban of one key hits another.',
      `the ${hit.key} key served during the ban`,
      `status ${hit.during.status}`,
    );
  }
  const served = during.find(({ during }) => isPlanAnswer(during) && !wasRefused(during));
  if (served === undefined)
    return inconclusive(
      ONLY_THAT_KEY,
      during.length === 0 ? 'no-key' : 'transport',
      during.length === 0
        ? 'No other key was asked during the ban.'
        : `The other key was not served during the ban, but what came (${during.map(({ during: { status } }) => status || 'nothing').join(', ')}) need not be for the ban's sake.`,
    );
  return kept(ONLY_THAT_KEY, `The ${served.key} key was served during the ban.`);
}

/** What is said of the three rows where no key was given up for a ban. */
export const noBanTried = (): readonly Finding[] =>
  [OBSERVED, TEMPORARY, ONLY_THAT_KEY].map((row) =>
    notApplicable(row, 'opt-in', 'Bans are provoked on request only, on a key given up for it.'),
  );

const bodyInWords = ({ lastBody }: BanSeries): string =>
  lastBody === null || lastBody.trim() === '' ? 'no body' : lastBody.trim();

/** `ban-observed`, `ban-temporary` and `ban-only-that-key`, from the requests sent on after 429 on the sacrificial key. */
export function banFindings(key: KeySeries, series: BanSeries, clock: ServerClock | null): readonly Finding[] {
  const refusals = series.pushed.filter(wasRefused).length;
  const ban = banSeen(series, key.figures, clock);
  const about = 'requests sent on after 429';
  if (ban === null) {
    if (refusals === 0) {
      return [OBSERVED, TEMPORARY, ONLY_THAT_KEY].map((row) =>
        inconclusive(row, 'prerequisite', `${subject(key.key)} met no 429.`),
      );
    }
    if ([series.pushed.at(-1), series.watched.at(-1)].some((last) => last?.status === 0)) {
      const silence = `After ${counted(refusals, 'refused request')} no whole answer came any more.`;
      return [OBSERVED, TEMPORARY, ONLY_THAT_KEY].map((row) => inconclusive(row, 'transport', silence));
    }
    const why = `No ban was seen after ${counted(refusals, 'refused request')}.`;
    return [
      observed(OBSERVED, about, why),
      notApplicable(TEMPORARY, 'not-observed', why),
      notApplicable(ONLY_THAT_KEY, 'not-observed', why),
    ];
  }
  const end = series.watched.find((sample) => isOver(sample, ban, key.figures));
  const until =
    end === undefined ? 'still held when last asked' : `over after ${duration(end.sentAt - ban.began.answeredAt)}`;
  return [
    observed(
      OBSERVED,
      about,
      `Banned after ${counted(ban.refusals, '429 answer')}, answered ${ban.began.status} with ${bodyInWords(series)}, ${until}.`,
    ),
    temporary(key, series, ban, clock),
    onlyThatKey(series, ban, key.figures),
  ];
}
