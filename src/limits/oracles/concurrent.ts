import type { Finding } from '../../checks/finding.js';
import type { OperationName } from '../../contract/types.js';
import { bySending, wasRefused, wasServed } from '../answers.js';
import { FINE_GRAIN_MS, minuteMs, mostRefilled, refillIntervalMs, worstSpan } from '../bounds.js';
import { coarsestGrainMs } from '../limiter-grain.js';
import { nothingRefills } from '../refill.js';
import { byTheirReset, resetStandsStill } from '../reset-edges.js';
import type { Sample } from '../sample.js';
import { counted, duration, figure, inconclusive, kept, subject, violated } from '../say.js';
import type { BurstSeries, Figures, KeySeries } from '../series.js';
import { windowsSeen } from '../windows-seen.js';
import { countedSamples } from './refuses-past-limit.js';

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

/** `rate-concurrent`: parallel requests cannot get more than the allowance that requests one by one got. */
export function concurrent(
  key: KeySeries,
  exempt: ReadonlySet<OperationName>,
  sequentialSound: boolean,
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
        `${name} is not limited properly one request at a time, so parallel ones show nothing.`,
      ),
    ];
  }
  const { figures } = key;
  const samples = countedSamples(bySending([...ofSameWindow(key, first), ...series.samples]), exempt);
  const seen = windowsSeen(samples, figures);
  const still = provenStill(key.burst, figures);
  // What comes back by the second shows in a Reset that moves on; one that stands still is a window's.
  const grainMs = resetStandsStill(key.burst?.samples ?? []) ? FINE_GRAIN_MS : coarsestGrainMs(figures);
  for (const { samples: piece, slack } of seen.pieces) {
    const served = piece.filter(wasServed);
    const worst = worstSpan(served, still ? 0 : 1 / refillIntervalMs(figures));
    if (worst === null) continue;
    const elapsedMs = worst.to - worst.from;
    const most = figures.perMinute + slack + (still ? 0 : mostRefilled(figures, elapsedMs, grainMs));
    if (worst.count <= most || byTheirReset(served, figures).every(({ length }) => length <= most)) continue;
    if (!seen.visible && worst.count <= 2 * most) {
      return [
        inconclusive(
          ROW,
          'too-little-data',
          `${name} got ${figure(worst.count)}, and no header tells whether a window rolled over.`,
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
