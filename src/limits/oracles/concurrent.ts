import { blockedBy } from '../../checks/finding.js';
import type { Finding } from '../../checks/finding.js';
import type { OperationName } from '../../contract/types.js';
import { bySending, wasRefused, wasServed } from '../answers.js';
import { minuteMs, mostRefilled, refillIntervalMs, worstSpan } from '../bounds.js';
import { nothingRefills } from '../refill.js';
import { byTheirReset } from '../reset-edges.js';
import type { Sample } from '../sample.js';
import { counted, duration, figure, inconclusive, kept, subject, violated } from '../say.js';
import type { BurstSeries, Figures, KeySeries } from '../series.js';
import { windowsSeen } from '../windows-seen.js';
import { countedSamples, type Return } from './refuses-past-limit.js';

const ROW = 'rate-concurrent';

/** The sequential burst proved that nothing comes back bit by bit. */
const provenStill = (burst: BurstSeries | null, figures: Figures): boolean =>
  burst !== null &&
  windowsSeen(burst.samples, figures).pieces.some(({ samples }) => nothingRefills(samples, figures) !== null);

/** Requests of the run that the same window may hold: the retry and the probe after the refusal. */
function ofSameWindow(key: KeySeries, first: Sample): readonly Sample[] {
  const since = first.sentAt - minuteMs(key.figures) / 2;
  return key.recoveries
    .flatMap(({ retry, resetRetry }) => [retry, resetRetry])
    .filter((sample) => sample !== null)
    .filter((sample) => wasServed(sample) && sample.sentAt >= since && sample.sentAt < first.sentAt);
}

/**
 * `rate-concurrent`: parallel requests cannot get more than the allowance that requests one by one got.
 * @param known what was seen to come back at once: parallel requests may have met as much
 */
export function concurrent(
  key: KeySeries,
  exempt: ReadonlySet<OperationName>,
  sequentialSound: boolean,
  { clump, isAtOnce }: Return,
): readonly Finding[] {
  const name = subject(key.key);
  const series = key.concurrent;
  const [first] = series?.samples ?? [];
  if (series === null || first === undefined)
    return [inconclusive(ROW, 'too-little-data', `${name} was not asked in parallel.`)];
  if (!sequentialSound) {
    return [
      inconclusive(
        ROW,
        'prerequisite',
        blockedBy('rate-429', `${name} is not limited properly one request at a time, so parallel ones show nothing.`),
      ),
    ];
  }
  const { figures } = key;
  const samples = countedSamples(bySending([...ofSameWindow(key, first), ...series.samples]), exempt);
  const seen = windowsSeen(samples, figures);
  // Between two beats nothing refills either: what came back later tells.
  const still = (provenStill(key.burst, figures) && clump.size === 0) || (isAtOnce && clump.size <= 1);
  for (const { samples: piece, slack } of seen.pieces) {
    const served = piece.filter(wasServed);
    const worst = worstSpan(served, still ? 0 : 1 / refillIntervalMs(figures));
    if (worst === null) continue;
    const elapsedMs = worst.to - worst.from;
    const most = figures.perMinute + slack + (still ? 0 : mostRefilled(figures, elapsedMs));
    if (worst.count <= most || byTheirReset(served, figures).every(({ length }) => length <= most)) continue;
    const byBeat = worst.count <= most + clump.size;
    if (byBeat && clump.isSooner) continue;
    if (byBeat || (!seen.visible && worst.count <= 2 * most)) {
      const what = byBeat ? 'things came back at a beat just then' : 'a window rolled over';
      return [
        inconclusive(
          ROW,
          'too-little-data',
          `${name} got ${figure(worst.count)}, and no header tells whether ${what}.`,
        ),
      ];
    }
    return [
      violated(
        ROW,
        `${name} gets more than its allowance when it asks in parallel.`,
        `at most ${counted(most, 'request')} served in ${duration(elapsedMs)}`,
        `${counted(worst.count, 'request')} served on ${counted(series.connections, 'connection')}`,
      ),
    ];
  }
  const served = series.samples.filter(wasServed).length;
  const refused = series.samples.filter(wasRefused).length;
  // A sender that stopped at the first refusal had asked for more than it got; else it must have asked for more than all.
  const askedEnough = series.end === 'refused' || series.samples.length > figures.perMinute;
  if (refused === 0 || !askedEnough) {
    const code = series.end === 'transport' ? 'transport' : 'too-little-data';
    return [
      inconclusive(
        ROW,
        code,
        `${name}: ${figure(series.samples.length)} parallel requests, ${figure(refused)} refused.`,
      ),
    ];
  }
  return [
    kept(
      ROW,
      `${figure(served)} of ${figure(series.samples.length)} parallel requests served, ${figure(refused)} refused.`,
    ),
  ];
}
