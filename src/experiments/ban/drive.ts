import { NOTHING_RUN, type KeySeries, type BanSeries, type OtherKeyProbe, type Figures } from '../../limits/series.js';
import type { Target } from '../../targets/target.js';
import type { Report } from '../key-run.js';
import { sinkOf, type Lab, progressEvery } from '../../load/lab.js';
import { type KeySession, collector, type Sink } from '../../load/key-session.js';
import { wasRefused, type Sample, wasServed } from '../../limits/sample.js';
import { banSeen, LONGEST_WATCH_MS, banDeadline, GRACE_MS } from './experiment.js';
import { minuteMs } from '../../limits/bounds.js';
import { burst } from '../burst/drive.js';
import type { ServerClock } from '../../limits/clock.js';
import { isBan } from '../../limits/ban-signs.js';
import { letsBackAt } from '../../limits/headers/retry-after.js';
import { counted, duration } from '../../format/format.js';
import type { ProfileMark } from '../../log/record.js';
import { refusedIn } from '../telling.js';

/** "Banned after 23 requests refused with 429, answered 403, over after 30 s; the free key was served meanwhile." */
function banSentence({ pushed, watched, otherKeys }: BanSeries, began: Sample | null): string {
  const refused = counted(refusedIn(pushed), 'request');
  const end = watched.find(wasServed);
  const last = pushed.at(-1);
  if (began === null) {
    const later =
      end !== undefined && last !== undefined
        ? `, served ${duration(end.sentAt - last.answeredAt)} after the last`
        : '';
    return `No ban seen after ${refused} refused with 429${later}.`;
  }
  const lasted =
    end === undefined ? 'still held when last asked' : `over after ${duration(end.sentAt - began.answeredAt)}`;
  const other = otherKeys.find(({ during }) => wasServed(during));
  const others = other === undefined ? '' : `; the ${other.key} key was served meanwhile`;
  return `Banned after ${refused} refused with 429, answered ${began.status}, ${lasted}${others}.`;
}

/** When the ban began, and when the key was served again. */
function banMarks(began: Sample | null, last: Sample | undefined): readonly ProfileMark[] {
  if (began === null) return [];
  return [
    { kind: 'ban-begins', at: began.answeredAt, text: `first ${began.status} of the ban` },
    ...(last !== undefined && wasServed(last)
      ? [{ kind: 'ban-ends' as const, at: last.answeredAt, text: 'served again' }]
      : []),
  ];
}

/** Whether the last answer of the requests sent on after 429 is that of a ban, so that no more are to be sent. */
function banBegan(pushed: readonly Sample[], figures: Figures): boolean {
  const first = pushed.find(wasRefused);
  const last = pushed.at(-1);
  return first !== undefined && last !== undefined && last !== first && isBan(last, first, figures);
}

/**
 * When to ask whether the ban is over, or, where none was seen, whether the limit alone had refused: just after it should
 * be. Null where neither the answers nor the operator say when; then it is asked now and then, for 15 minutes.
 */
function banProbeAt(
  { pushed, watched, declaredSeconds }: Pick<BanSeries, 'pushed' | 'watched' | 'declaredSeconds'>,
  figures: Figures,
  clock: ServerClock | null,
): number | null {
  const ban = banSeen({ pushed, watched }, figures, clock);
  const last = ban?.last ?? pushed.at(-1);
  if (last === undefined) return null;
  const at = ban === null ? letsBackAt(last, clock) : banDeadline(ban, declaredSeconds, clock);
  // A refusal that names the year 9999 says nothing that a run can wait for.
  if (at === null || at > last.answeredAt + LONGEST_WATCH_MS + (declaredSeconds ?? 0) * 1000) return null;
  return Math.max(at + GRACE_MS + 50, last.answeredAt);
}

/** What the ban goes through. */
interface BanPhase {
  /** The key that was given up. */
  readonly session: KeySession;
  /** A key that is asked while the ban lasts. */
  readonly other: KeySession | null;
  readonly target: Pick<Target, 'ban' | 'exclusive'>;
  readonly report: Report;
}

/**
 * The ban goes before all else: another key has to be asked while it lasts, and later the others are used up themselves.
 * Returns once the ban has begun, or none has, and gives what watches it to its end, which can take long.
 */
export async function banPhase(
  lab: Lab,
  { session, other, target, report }: BanPhase,
): Promise<{ readonly watching: Promise<KeySeries> }> {
  const { maxRequests, perSecond, maxSeconds } = target.ban;
  const options = { maxRequests, perSecond, declaredSeconds: maxSeconds ?? null };
  const startedAt = lab.now();
  const ask = async (): Promise<Sample | null> =>
    other === null ? null : other.ask('listPets', sinkOf('ban', other.figures));
  const before = await ask();
  const pushed = await push(session, lab, options);
  const during = pushed.samples.some(wasRefused) && !lab.signal.aborted ? await ask() : null;
  const otherKeys =
    other === null || during === null ? [] : [{ key: other.key, figures: other.figures, before, ownSince: 1, during }];
  const watched = async (): Promise<KeySeries> => {
    const ban = await watch(session, lab, pushed, otherKeys, options);
    // The last request that was sent on may have brought it, and the answer after the silence been the first to tell.
    const began = banSeen(ban, session.figures, lab.clock())?.began ?? null;
    report('ban', startedAt, banSentence(ban, began), banMarks(began, ban.watched.at(-1)));
    return {
      key: session.key,
      figures: session.figures,
      exclusive: target.exclusive,
      aloneSince: startedAt,
      ...NOTHING_RUN,
      ban,
    };
  };
  return { watching: watched() };
}

/** How far the sacrificial key is pushed, and how long its ban may last. */
interface BanOptions {
  /** Requests after the first 429. */
  readonly maxRequests: number;
  readonly perSecond: number;
  /** The longest ban that the operator promises, in seconds; null when none is declared. */
  readonly declaredSeconds: number | null;
}

/** An Error fits in; more of a page in HTML would say no more. */
const LONGEST_BODY = 200;

/** Requests that went on after the 429. */
interface Pushed {
  readonly samples: readonly Sample[];
  /** The first answer that is a ban's by its looks; null where none is. */
  readonly began: Sample | null;
  /** The body of the last answer, as `BanSeries` wants it. */
  readonly lastBody: string | null;
}

/** Uses the sacrificial key up and goes on at a bounded rate, until a ban shows or the number is used up. */
async function push(session: KeySession, lab: Lab, { maxRequests, perSecond }: BanOptions): Promise<Pushed> {
  const { figures, key } = session;
  const { series, before } = await burst(session, lab, { refusalOperation: 'listPets' });
  const samples: Sample[] = [...before, ...series.samples];
  let lastBody: string | null = null;
  const sink: Sink = {
    profile: 'ban',
    take: (sample) => void samples.push(sample),
    isPassive: () => false,
    onAnswer: (_sample, body) => (lastBody = body?.slice(0, LONGEST_BODY) ?? null),
  };
  if (!samples.some(wasRefused)) return { samples, began: null, lastBody };
  const tell = progressEvery(lab, 'ban', key, () => `${samples.filter(wasRefused).length} refused, no ban yet`);
  const from = lab.now();
  for (let sent = 0; sent < maxRequests; sent += 1) {
    if (!(await lab.pause(from + (sent * 1000) / perSecond, 'the next request after 429'))) break;
    const answer = await session.ask('listPets', sink);
    if (banBegan(samples, figures)) return { samples, began: answer, lastBody };
    if (answer.status === 0) break;
    tell();
  }
  return { samples, began: null, lastBody };
}

/** Waits in silence for the ban to end, and asks; where nobody says when that is, at growing distances. */
async function watch(
  session: KeySession,
  lab: Lab,
  pushed: Pushed,
  otherKeys: readonly OtherKeyProbe[],
  { declaredSeconds }: BanOptions,
): Promise<BanSeries> {
  const { figures, key } = session;
  const sink = collector('ban', { isPassive: () => false });
  const series: BanSeries = {
    pushed: pushed.samples,
    lastBody: pushed.lastBody,
    watched: sink.samples,
    otherKeys,
    declaredSeconds,
  };
  const last = pushed.samples.at(-1);
  if (last === undefined || !pushed.samples.some(wasRefused)) return series;
  for (let wait = minuteMs(figures); ; wait *= 2) {
    const isKnown = banSeen(series, figures, lab.clock()) !== null;
    const told = banProbeAt(series, figures, lab.clock());
    const at = told ?? lab.now() + wait;
    const what = pushed.began === null ? 'Retry-After on the sacrificial key' : `the end of the ${key} key's ban`;
    if (!(await lab.pause(at, what))) return series;
    const answer = await session.ask('listPets', sink);
    const longEnough = answer.sentAt - last.answeredAt > LONGEST_WATCH_MS;
    // Where an end was told, the first answer after it decides: of the limit, unless that answer is the first of a ban.
    const decides = told !== null && (isKnown || banSeen(series, figures, lab.clock()) === null);
    if (wasServed(answer) || answer.status === 0 || decides || longEnough || lab.signal.aborted) return series;
  }
}
