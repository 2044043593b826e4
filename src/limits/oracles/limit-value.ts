import type { Finding } from '../../checks/finding.js';
import { isPlanAnswer, windowSpokenOf } from '../answers.js';
import { plainInteger } from '../header-number.js';
import type { Sample } from '../sample.js';
import { counted, figure, inconclusive, kept, subject, violated } from '../say.js';
import type { Figures, KeyName } from '../series.js';

const ROW = 'rate-limit-value';

/** `rate-limit-value`: on answers to a valid key, Limit is the plan's figure per minute or per day. */
export function limitValue(key: KeyName, samples: readonly Sample[], figures: Figures): readonly Finding[] {
  const answers = samples.filter((sample) => isPlanAnswer(sample) && plainInteger(sample.limit) !== null);
  if (answers.length === 0)
    return [inconclusive(ROW, 'too-little-data', `${subject(key)} got no readable X-RateLimit-Limit.`)];
  const foreign = answers.filter((answer) => windowSpokenOf(answer, figures) === 'unknown');
  if (foreign.length === 0)
    return [kept(ROW, `X-RateLimit-Limit is the plan's figure on ${counted(answers.length, 'answer')}.`)];
  const seen = [...new Set(foreign.map(({ limit }) => limit))].slice(0, 3).join(', ');
  return [
    violated(
      ROW,
      `${subject(key)} is told a limit that is not the plan's.`,
      `X-RateLimit-Limit: ${figures.perMinute} (a minute) or ${figures.perDay} (a day)`,
      `X-RateLimit-Limit: ${seen} on ${counted(foreign.length, 'answer')} of ${figure(answers.length)}`,
    ),
  ];
}
