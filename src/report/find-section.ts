import type { CapacityResults } from '../loadkit/capacity-shape.js';
import { count, listed, shareText } from '../base/kernel/format.js';
import { percentileText } from '../outcome/words/capacity.js';
import { stepRate } from '../outcome/words/find.js';
import { tableOf, type Section, type Table } from './document.js';

export const findSection = (find: NonNullable<CapacityResults['find']>): Section => ({
  id: 'find',
  title: 'Search for the highest rate',
  lead: `Each step is an open loop at a constant rate, judged by ${listed(find.conditions)}.`,
  blocks: [{ kind: 'series', name: 'find' }, findTable(find)],
});

const FIND_OUTCOMES = { holds: 'passed', misses: 'failed', generator: 'inconclusive' } as const;
const FIND_WORDS = { holds: 'holds', misses: 'misses', generator: 'own limit' } as const;
const FIND_ROLES = {
  warm: 'warm-up',
  climb: 'double',
  bisect: 'bisect',
  confirm: 'confirm',
  again: 'repeat',
} as const;

const findTable = ({ steps }: NonNullable<CapacityResults['find']>): Table => ({
  ...tableOf('Steps of the search', steps, [
    ['Rate', ({ perSecond }) => stepRate(perSecond)],
    ['Step', ({ role }) => FIND_ROLES[role]],
    [
      'Result',
      ({ role, outcome }) =>
        role === 'warm'
          ? { text: 'not judged', ink: 'note' }
          : { text: FIND_WORDS[outcome], glyph: FIND_OUTCOMES[outcome] },
    ],
    ['p50', ({ p50 }) => percentileText(p50)],
    ['p99', ({ p99 }) => percentileText(p99)],
    ['Errors', ({ errors }) => shareText(errors)],
    ['Throughput', ({ throughput }) => `${count(throughput)}/s`],
    ['Sent', ({ sent }) => count(sent)],
    ['Time', ({ seconds }) => `${count(seconds)} s`],
    ['Limits', ({ reasons }) => ({ text: reasons.join('; '), ink: 'note' })],
  ]),
  brief: [0, 1, 2, 3, 4, 5],
});
