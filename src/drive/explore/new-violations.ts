import type { RequirementId } from '../../base/interface/types.js';
import { plainerThan } from '../../judge/checks/plainer-rows.js';
import { statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { LogRecord } from '../../log/record.js';
import type { Counterexample } from './perform.js';
import type { Found } from './shrink.js';
import type { Act } from './story.js';

/** Most stories reported for one row. More would repeat them, or show up after the fix of these. */
const MOST_STORIES = 3;

/** Cause of a finding; another finding with the same cause is not new. */
const causeOf = ({ act, violation }: Counterexample): string => `${violation.requirement} ${subjectOf(act)}`;

function subjectOf(act: Act): string {
  switch (act.do) {
    case 'create':
      return [act.animal.name.class, act.animal.category.class, act.animal.spelling].join(', ');
    case 'wrong':
      return act.wrong.class;
    case 'list':
      return act.query.kind === 'open' ? act.class : `${act.query.written} ${act.query.status ?? ''}`;
    case 'get':
      return act.whom.of === 'story' ? 'of the story' : 'from before the run';
    case 'get about':
      return act.id;
    case 'stranger':
      return `${act.operation} ${act.stranger}`;
    case 'scheme':
      return act.scheme;
  }
}

const isRead = (act: Act): boolean => act.do === 'list' || act.do === 'get' || act.do === 'get about';

const isOnceOnly = ({
  found: { seen, of },
  again,
}: {
  readonly found: Found;
  readonly again: number;
}): boolean => seen < 2 && of > 1 && again === 0;

const isServerError = ({ violation, exchanges }: Found): boolean =>
  exchanges.some((exchange) => violation.exchanges.includes(exchange.id) && (statusOf(exchange) ?? 0) >= 500);

/** @param broken rows known to be broken, which need no story */
export function newFinds(broken: ReadonlySet<RequirementId>) {
  const causes = new Map<string, number>();
  const stories = new Map<string, { readonly found: Found; readonly isOfCreation: boolean; again: number }>();

  const ofRow = (requirement: RequirementId) =>
    [...stories.values()].filter(({ found }) => found.violation.requirement === requirement);

  const isKnownToBreak = ({ act, violation: { requirement } }: Counterexample): boolean =>
    broken.has(requirement) ||
    ((act.do === 'list' || act.do === 'stranger') && plainerThan(requirement).some((row) => broken.has(row)));

  return {
    /**
     * True if a violation deserves its own story. Otherwise it is counted with the known ones.
     *
     * @param isOfBroken true if an earlier request broke the operation: one story for each row is enough
     */
    isNews(counterexample: Counterexample, isOfBroken = false): boolean {
      const { requirement } = counterexample.violation;
      const cause = causeOf(counterexample);
      const times = causes.get(cause) ?? 0;
      causes.set(cause, times + 1);
      const known = ofRow(requirement);
      // A wrongly created animal stays, and later reads show it again.
      const isLeftover = isRead(counterexample.act) && known.some(({ isOfCreation }) => isOfCreation);
      const isNews =
        (isOfBroken ? known.length === 0 : times === 0) &&
        known.length < MOST_STORIES &&
        !isLeftover &&
        !isKnownToBreak(counterexample);
      if (!isNews) for (const story of known.slice(0, 1)) story.again += 1;
      return isNews;
    },
    add({ act }: Counterexample, found: Found): void {
      const description = found.exchanges
        .map(lineOf)
        .join('\n')
        .replace(/\d{1,19}/g, '#');
      const name = `${found.violation.requirement}\n${description}`;
      const known = stories.get(name);
      if (known) known.again += 1;
      else stories.set(name, { found, isOfCreation: !isRead(act), again: 0 });
    },
    records(seed: number, answered: ReadonlyMap<string, number>): readonly LogRecord[] {
      const all = [...stories.values()];
      // A server error that does not recur happens once in many requests of any kind. Two of them are no accident.
      const errors = all.filter((story) => isOnceOnly(story) && isServerError(story.found)).length;
      return all.flatMap((story): readonly LogRecord[] => {
        const { path, violation, exchanges, seen, of } = story.found;
        const isOnce = isOnceOnly(story) && !(errors > 1 && isServerError(story.found));
        const operation = exchanges.find(({ id }) => violation.exchanges.includes(id))?.operation ?? '';
        return [
          ...exchanges.map((exchange): LogRecord => ({ type: 'exchange', exchange, kept: [] })),
          {
            type: 'finding',
            finding: {
              ...violation,
              ...(isOnce && { warns: true }),
              story: {
                replay: path === '' ? `${seed}` : `${seed}:${path}`,
                steps: stepsOf(exchanges),
                exchanges: exchanges.map(({ id }) => id),
                seen,
                of: isOnce ? (answered.get(operation) ?? of) : of,
              },
            },
          },
        ];
      });
    },
  };
}

/** A line each. Repetitions with the same response share one line with their number. */
function stepsOf(exchanges: readonly Exchange[]): readonly string[] {
  const lines = exchanges.map(lineOf);
  const first = lines.flatMap((line, at) => (line === lines[at - 1] ? [] : [at]));
  return first.map((at, nth) => {
    const times = (first[nth + 1] ?? lines.length) - at;
    return `${lines[at] ?? ''}${times > 1 ? `, ${times} times` : ''}`;
  });
}

/** Most characters of a body in a line of a story. */
const LONGEST = 200;

function lineOf(exchange: Exchange): string {
  const { method, path, body } = exchange.request;
  const sent = body === null ? '' : ` ${body.length > LONGEST ? `${body.slice(0, LONGEST)}…` : body}`;
  const manner =
    exchange.credential.kind === 'valid'
      ? ''
      : ` (${exchange.credential.kind === 'none' ? 'no key' : exchange.credential.manner})`;
  return `${method} ${path}${sent}${manner} → ${statusOf(exchange) ?? 'no response'}`;
}
