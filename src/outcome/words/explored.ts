import type { Story } from '../../judge/findings/finding.js';
import type { ExploredResults } from '../results/part-shapes.js';
import { count, counted, grouped, listed, sum } from '../../base/kernel/format.js';

/** Returns the option that replays a story; a violation of the first listings needs only the seed. */
export const replayOption = ({ replay }: Pick<Story, 'replay'>): string =>
  replay.includes(':') ? `--replay ${replay}` : `--explore --seed ${replay}`;

export function storyWords({ replay, seen, of }: Story): string {
  const times =
    of === 1
      ? 'seen once, not repeated'
      : seen === 1
        ? `seen once in ${counted(of, 'response')}`
        : `seen ${count(seen)} times in ${counted(of, 'response')}`;
  return `found by exploring, ${times}; replay with ${replayOption({ replay })}`;
}

export const kindsTried = (classes: ExploredResults['classes']) =>
  [...grouped(classes, ({ kind }) => kind)].map(([kind, members]) => ({
    kind,
    classes: members.length,
    tried: members.filter(({ tried }) => tried > 0).length,
    times: sum(members, ({ tried }) => tried),
    served: sum(members, ({ served }) => served),
    left: members.flatMap(({ class: name, tried }) => (tried === 0 ? [name] : [])),
  }));

const STOPPED = {
  limited: 'the target kept sending 429',
  unanswered: 'the target stopped responding',
  interrupted: 'interrupted',
} as const;

export function exploredClause(explored: ExploredResults): string {
  const { seed, asked, requests, stories, residents, stopped } = explored;
  const found =
    stories.length === 0 ? 'found nothing' : `found ${counted(stories.length, 'story', 'stories')}`;
  const ended = stopped === undefined ? '' : `, ended early: ${STOPPED[stopped]}`;
  const left =
    residents === undefined || residents.fetched === residents.shown
      ? ''
      : `, fetched ${count(residents.fetched)} of ${counted(residents.shown, 'animal')} that it did not create`;
  return `${count(requests)} of ${counted(asked, 'request')}, seed ${seed}: ${found}${left}${ended}`;
}

/** Adds what was tried: names of fully tested kinds, figures of the others. */
export function exploredWords(explored: ExploredResults): string {
  const kinds = kindsTried(explored.classes);
  const whole = kinds.filter(({ left }) => left.length === 0).map(({ kind }) => kind);
  const partly = kinds
    .filter(({ left, tried }) => left.length > 0 && tried > 0)
    .map(({ kind, tried, classes }) => `${count(tried)} of ${count(classes)} ${kind}`);
  const tried = [whole.length === 0 ? '' : `all ${listed(whole)}`, listed(partly)]
    .filter(Boolean)
    .join('; and ');
  return `${exploredClause(explored)}${tried && `; tried ${tried}`}`;
}
