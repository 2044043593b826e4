import { wasRefused, wasServed } from '../../limits/answers.js';
import { minuteMs } from '../../limits/bounds.js';
import { banBegan, banProbeAt } from './watching.js';
import { banSeen, LONGEST_WATCH_MS } from './seen.js';
import type { Sample } from '../../limits/sample.js';
import type { BanSeries, OtherKeyProbe } from '../../limits/series.js';
import { type Lab, progressEvery } from '../../load/lab.js';
import { collector, type KeySession, type Sink } from '../../load/key-session.js';
import { burst } from '../burst/drive.js';

/** How far the sacrificial key is pushed, and how long its ban may last. */
export interface BanOptions {
  /** Requests after the first 429. */
  readonly maxRequests: number;
  readonly perSecond: number;
  /** The longest ban that the operator promises, in seconds; null when none is declared. */
  readonly declaredSeconds: number | null;
}

/** An Error fits in; more of a page in HTML would say no more. */
const LONGEST_BODY = 200;

/** Requests that went on after the 429. */
export interface Pushed {
  readonly samples: readonly Sample[];
  /** The first answer that is a ban's by its looks; null where none is. */
  readonly began: Sample | null;
  /** The body of the last answer, as `BanSeries` wants it. */
  readonly lastBody: string | null;
}

/** Uses the sacrificial key up and goes on at a bounded rate, until a ban shows or the number is used up. */
export async function push(session: KeySession, lab: Lab, { maxRequests, perSecond }: BanOptions): Promise<Pushed> {
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
export async function watch(
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
