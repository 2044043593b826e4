import type { Finding } from '../../checks/finding.js';
import type { Sample } from '../sample.js';
import { counted, inconclusive, kept, subject, violated } from '../say.js';
import type { KeyName } from '../series.js';

const ROW = 'rate-headers-present';

/** The statuses of the interface. What a ban or a proxy answers (403, 503) is not the service's own. */
const DECLARED: ReadonlySet<number> = new Set([200, 201, 400, 401, 404, 429]);

/** The rate headers that an answer lacks. Part 8: every response carries all three. */
export const missingHeaders = ({ limit, remaining, reset }: Sample): readonly string[] => [
  ...(limit === null ? ['X-RateLimit-Limit'] : []),
  ...(remaining === null ? ['X-RateLimit-Remaining'] : []),
  ...(reset === null ? ['X-RateLimit-Reset'] : []),
];

/** `rate-headers-present` on the answers that one key got. */
export function headersPresent(key: KeyName, samples: readonly Sample[]): readonly Finding[] {
  const answers = samples.filter(({ status }) => DECLARED.has(status));
  if (answers.length === 0) return [inconclusive(ROW, 'too-little-data', `${subject(key)} got no answer to look at.`)];
  const lacking = answers.filter((answer) => missingHeaders(answer).length > 0);
  const [first] = lacking;
  if (first === undefined) return [kept(ROW, `All three rate headers stand on ${counted(answers.length, 'answer')}.`)];
  const statuses = [...new Set(lacking.map(({ status }) => status))].sort((one, other) => one - other).join(', ');
  return [
    violated(
      ROW,
      `${subject(key)} got answers without rate headers.`,
      'X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset on every answer',
      `${counted(lacking.length, 'answer')} of ${answers.length} (status ${statuses}) without ${missingHeaders(first).join(', ')}`,
    ),
  ];
}
