import { decoded, percentilesOf, sumOf } from '../histogram.js';
import { sum, sumOfCounts } from '../added.js';
import type { SecondRecord } from '../../log/capacity-record.js';

/** How long a second of the whole is, ms. */
const SECOND_MS = 1000;

/** The seconds of one part, and when it began by its own clock, Unix ms. */
export interface PartSeconds {
  readonly startAt: number;
  readonly seconds: readonly SecondRecord[];
}

/**
 * The seconds of the whole from those of its parts: counts and histograms are added, of the generators' health the worst is
 * kept. What fell into the same second after each part's own beginning belongs together; no two clocks are compared. Pure.
 * @param beginsAt the beginning of the whole, Unix ms
 */
export function mergeSeconds(parts: readonly PartSeconds[], beginsAt: number): readonly SecondRecord[] {
  const groups = new Map<string, { readonly second: SecondRecord; readonly endMs: number; readonly part: number }[]>();
  parts.forEach(({ startAt, seconds }, part) => {
    for (const second of seconds) {
      const endMs = second.at - startAt;
      const name = `${second.phase} ${Math.floor((endMs - second.ms / 2) / SECOND_MS)}`;
      const group = groups.get(name) ?? [];
      group.push({ second, endMs, part });
      groups.set(name, group);
    }
  });
  return [...groups.values()]
    .map((group): SecondRecord => {
      const all = group.map(({ second }) => second);
      const most = (of: (second: SecondRecord) => number): number => Math.max(...all.map(of));
      const length = new Map<number, number>();
      for (const { part, second } of group) length.set(part, (length.get(part) ?? 0) + second.ms);
      const { p50, p90, p99, max } = percentilesOf(
        sumOf(all.flatMap(({ latency }) => (latency === undefined ? [] : [decoded(latency)]))),
      );
      return {
        type: 'second',
        phase: all[0]?.phase ?? '',
        at: Math.round(beginsAt + Math.max(...group.map(({ endMs }) => endMs))),
        ms: Math.max(...length.values()),
        ...sumOfCounts(all),
        intended: sum(all, ({ intended }) => intended),
        dropped: sum(all, ({ dropped }) => dropped),
        p50,
        p90,
        p99,
        max,
        lagMs: most(({ lagMs }) => lagMs),
        busy: most(({ busy }) => busy),
        cpu: most(({ cpu }) => cpu),
        underWay: sum(all, ({ underWay }) => underWay),
        lateMs: most(({ lateMs }) => lateMs),
        behind: all.some(({ behind }) => behind),
      };
    })
    .toSorted((one, other) => one.at - other.at);
}
