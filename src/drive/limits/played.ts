import type { ProfileName } from '../../base/interface/names.js';
import type { KeySeries } from '../../judge/limits/series.js';
import type { Report } from '../load/reporter.js';
import type { QuestionName } from '../../judge/limits/asked.js';
import { banMetSince } from './ban-sentences.js';
import { type KeyPlayer, Enough } from './key-player.js';
import { questionOf } from './select.js';
import { sentenceOf } from './sentences.js';

export interface KeyOptions extends Pick<KeySeries, 'exclusive' | 'earlier' | 'aloneSince'> {
  readonly report: Report;
  readonly profiles: ReadonlySet<ProfileName>;
}

export interface Played {
  readonly player: KeyPlayer;
  readonly drive: KeyOptions;
}

export const isSelected = ({ drive }: Played, question: QuestionName): boolean =>
  drive.profiles.has(questionOf(question).profile);

export async function each(some: readonly Played[], work: (one: Played) => Promise<void>): Promise<void> {
  await Promise.all(
    some.map(async (one) => {
      if (one.player.isDone) return;
      try {
        await work(one);
      } catch (error) {
        if (!(error instanceof Enough)) throw error;
        one.player.isDone = true;
      }
    }),
  );
}

export async function silent(some: readonly Played[]): Promise<readonly Played[]> {
  await each(some, ({ player, drive }) =>
    player.silence(`a window of the ${player.session.key} plan without a request`, drive.earlier),
  );
  return some;
}

/** Reports which question a key is asked now, and for how long. @param silenceMs that comes before */
export function announce({ player }: Played, question: QuestionName, silenceMs = 0): void {
  const { session, lab } = player;
  const asked = questionOf(question);
  const { seconds } = asked.cost(session.figures, { latencyMs: session.quickestMs() });
  lab.progress(asked.profile, session.key, `${asked.title}: ${asked.sends}`, silenceMs + seconds * 1000);
}

/** Asks a question and reports what came of it, however it ends. */
export async function told(one: Played, question: QuestionName, ask: () => Promise<void>) {
  const { player, drive } = one;
  const { profile } = questionOf(question);
  const startedAt = player.lab.now();
  if (question !== 'second' && question !== 'third') announce(one, question);
  player.profile = profile;
  try {
    await ask();
  } finally {
    const asked = player.record.asked.filter((sample) => sample.question === question);
    // Only the pause is asked again by itself.
    const first = question === 'idle' ? asked.at(-1) : asked[0];
    if (asked.some(({ sentAt }) => sentAt >= startedAt) || question === 'whole') {
      const came = sentenceOf(question, player.record.asked, player.session.figures);
      const sentence = `${came.sentence}${banMetSince(startedAt, player.session)}`;
      drive.report(profile, first?.sentAt ?? startedAt, { ...came, sentence });
    }
  }
}
