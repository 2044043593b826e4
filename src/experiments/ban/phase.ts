import { wasRefused } from '../../limits/answers.js';
import type { Sample } from '../../limits/sample.js';
import { banSeen } from './seen.js';
import { NOTHING_RUN, type KeySeries } from '../../limits/series.js';
import type { Target } from '../../targets/target.js';
import type { Report } from '../key-run.js';
import { sinkOf, type Lab } from '../../load/lab.js';
import type { KeySession } from '../../load/key-session.js';
import { push, watch } from './drive.js';
import { banMarks, banSentence } from './tell.js';

/** What the ban goes through. */
export interface BanPhase {
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
