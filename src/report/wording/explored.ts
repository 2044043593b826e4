import type { Story } from '../../checks/finding.js';
import type { ExploredResults } from '../../verdict/results.js';
import { count, counted, listed } from './format.js';
import { grouped } from './grouped.js';

/** How a story was found, and the option that performs it again. */
export function storyWords({ replay, seen, of }: Story): string {
  const times =
    of === 1
      ? 'seen once, and not tried again'
      : seen === 1
        ? `seen once in ${counted(of, 'answer')}`
        : `seen ${count(seen)} times of ${count(of)}`;
  return `found by exploring, ${times}; again: ${replay.includes(':') ? `--replay ${replay}` : `--explore --seed ${replay}`}`;
}

/** What was tried, in a sentence: figures by kind, and what was found. */
export function exploredWords({ seed, requests, stories, classes }: ExploredResults): string {
  const kinds = [...grouped(classes, ({ kind }) => kind)].map(
    ([kind, members]) => `${count(members.length)} of ${kind}`,
  );
  const found = stories.length === 0 ? 'found nothing' : `found ${counted(stories.length, 'story', 'stories')}`;
  return `${counted(requests, 'request')}, seed ${seed}: ${found}${kinds.length === 0 ? '' : `; classes tried: ${listed(kinds)}`}`;
}
