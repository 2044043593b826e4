import type { LoggedTraffic } from '../../log/run-log.js';
import { duration } from '../../base/kernel/format.js';
import { timelineOf, type Mark, type Timeline } from '../client-timeline.js';
import { behaviourOf } from '../../judge/clients/behaviour.js';
import { hang, line, span, type Line, type Span } from './lines.js';
import { AMOUNTS } from '../amounts.js';

/** Width of the names; the longest scenario is "limited-in-parallel". */
const NAME_WIDTH = 21;

export function recordLines(record: LoggedTraffic): readonly Line[] {
  const timeline = timelineOf(record);
  const { marks, remarks, ending } = timeline;
  const shown = marks.slice(0, AMOUNTS.terminal.clientMarks);
  const more = marks.length - shown.length;
  const note = [...remarks, ...(ending === null || ending === 'exit code 0' ? [] : [ending])].join('; ');
  return [
    line(
      span(`  ${timeline.name.padEnd(NAME_WIDTH)}`, 'strong'),
      ...(marks.length === 0
        ? [span('no request', 'doubt')]
        : shown.flatMap((mark) => markSpans(mark, timeline))),
      ...(more > 0 ? [span(` and ${more} more`, 'quiet')] : []),
    ),
    ...(note === '' ? [] : [hang([span(' '.repeat(NAME_WIDTH + 2))], note, 'quiet', 3)]),
  ];
}

export const behaviourLines = (records: readonly LoggedTraffic[]): readonly Line[] =>
  behaviourOf(records).map(({ subject, value }) =>
    hang([span(`  ${subject.padEnd(NAME_WIDTH)}`, 'quiet')], value, 'quiet', 3),
  );

function markSpans({ status, state, atMs, elsewhere }: Mark, { rests }: Timeline): readonly Span[] {
  const text = `${elsewhere ? '→ ' : ''}${status ?? 'none'}`;
  switch (state) {
    case 'served':
      return [span(`${text} `, 'good')];
    case 'early':
      return [span(`${text} too early `, 'bad')];
    case 'refused': {
      const rest = rests.find(({ fromMs }) => fromMs >= atMs);
      return [
        span(`${text} `, 'warn'),
        ...(rest ? [span(`[rest ${duration(rest.toMs - rest.fromMs)}] `, 'quiet')] : []),
      ];
    }
    case 'other':
      return [span(`${text} `, 'doubt')];
  }
}
