import { wasRefused, wasServed } from '../limits/answers.js';
import type { Sample } from '../limits/sample.js';
import { banSeen } from '../limits/oracles/ban.js';
import { NOTHING_RUN } from '../limits/series.js';
import type { KeySeries } from '../limits/series.js';
import type { ProfileMark } from '../log/record.js';
import type { Target } from '../target/target.js';
import type { Report } from './driving/passage.js';
import { sinkOf } from './field.js';
import type { Field } from './field.js';
import type { KeyLine } from './key-line.js';
import { push, watch } from './profiles/ban.js';
import { banSentence } from './sentences.js';

/** What the ban goes through. */
export interface BanPhase {
  /** The key that was given up. */
  readonly line: KeyLine;
  /** A key that is asked while the ban lasts. */
  readonly other: KeyLine | null;
  readonly target: Pick<Target, 'ban' | 'exclusive'>;
  readonly report: Report;
}

/**
 * The ban goes before all else: another key has to be asked while it lasts, and later the others are used up themselves.
 * Returns once the ban has begun, or none has, and gives what watches it to its end, which can take long.
 */
export async function banPhase(
  field: Field,
  { line, other, target, report }: BanPhase,
): Promise<{ readonly watching: Promise<KeySeries> }> {
  const { maxRequests, perSecond, maxSeconds } = target.ban;
  const options = { maxRequests, perSecond, declaredSeconds: maxSeconds ?? null };
  const startedAt = field.now();
  const ask = async (): Promise<Sample | null> =>
    other === null ? null : other.ask('listPets', sinkOf('ban', other.figures));
  const before = await ask();
  const pushed = await push(line, field, options);
  const during = pushed.samples.some(wasRefused) && !field.signal.aborted ? await ask() : null;
  const otherKeys =
    other === null || during === null ? [] : [{ key: other.key, figures: other.figures, before, ownSince: 1, during }];
  const watched = async (): Promise<KeySeries> => {
    const ban = await watch(line, field, pushed, otherKeys, options);
    // The last request that was sent on may have brought it, and the answer after the silence been the first to tell.
    const began = banSeen(ban, line.figures, field.clock())?.began ?? null;
    report('ban', startedAt, banSentence(ban, began), marksOf(began, ban.watched.at(-1)));
    return {
      key: line.key,
      figures: line.figures,
      exclusive: target.exclusive,
      aloneSince: startedAt,
      ...NOTHING_RUN,
      ban,
    };
  };
  return { watching: watched() };
}

function marksOf(began: Sample | null, last: Sample | undefined): readonly ProfileMark[] {
  if (began === null) return [];
  return [
    { kind: 'ban-begins', at: began.answeredAt, text: `first ${began.status} of the ban` },
    ...(last !== undefined && wasServed(last)
      ? [{ kind: 'ban-ends' as const, at: last.answeredAt, text: 'served again' }]
      : []),
  ];
}
