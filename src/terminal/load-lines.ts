import type { ProfileSummary } from '../log/record.js';
import { count, duration } from '../format/format.js';
import { hang, span, type Line } from './lines.js';
import { say, type Look } from './look.js';

/** Lines that one profile's sentence may take. */
const SENTENCE_LINES = 3;

/** Formats the result of one profile of one plan. */
export function profileLines(summary: ProfileSummary, look: Look): Line[] {
  const { latency } = summary;
  return [
    ...beside(summary.profile, `${summary.plan}: ${say(look, summary.sentence)}`, look),
    ...(look.verbose && latency
      ? beside(
          '',
          `${count(summary.sent)} sent, ${count(summary.served)} allowed, ${count(summary.refused)} refused, limit ` +
            `${count(summary.allowance)}; latency p50 ${duration(latency.p50)}, p90 ${duration(latency.p90)}, ` +
            `p99 ${duration(latency.p99)}, max ${duration(latency.max)}`,
          look,
        )
      : []),
  ];
}

const beside = (profile: string, text: string, look: Look): Line[] =>
  hang([span(`  load ${profile.padEnd(14)}`, 'quiet')], text, 'plain', look, SENTENCE_LINES);
