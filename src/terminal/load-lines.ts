import type { ProfileSummary } from '../log/record.js';
import { count, counted, duration, listed } from '../format/format.js';
import { hang, span, type Line } from './lines.js';
import { say, type Look } from './look.js';

/** Most lines of one profile's sentence. */
const SENTENCE_LINES = 3;

/** Formats the result of one profile of one plan. */
export function profileLines(summary: ProfileSummary, look: Look): Line[] {
  const { latency } = summary;
  return [
    ...beside(summary.profile, `${summary.plan}: ${say(look, summary.sentence)}`, look, SENTENCE_LINES),
    ...(look.verbose && latency
      ? beside(
          '',
          `${count(summary.sent)} sent, ${count(summary.served)} served, ${count(summary.refused)} refused, allowance ` +
            `${count(summary.allowance)}; latency p50 ${duration(latency.p50)}, p90 ${duration(latency.p90)}, ` +
            `p99 ${duration(latency.p99)}, at most ${duration(latency.max)}`,
          look,
          SENTENCE_LINES,
        )
      : []),
  ];
}

/**
 * Formats all profiles at the end of a run: a line each; in less room a line for each kind, or one for all.
 * @param room available lines
 */
export function loadLines(summaries: readonly ProfileSummary[], room: number, look: Look): Line[] {
  if (summaries.length === 0) return [];
  const each = summaries.flatMap((summary) => profileLines(summary, look));
  if (each.length <= room) return each;
  const kinds = [...new Set(summaries.map(({ profile }) => profile))];
  if (kinds.length <= room)
    return kinds.flatMap((kind) =>
      together(
        kind,
        summaries.filter(({ profile }) => profile === kind),
        look,
      ),
    );
  return together(counted(kinds.length, 'profile'), summaries, look);
}

/** Formats several profiles in figures, on one line. */
function together(label: string, summaries: readonly ProfileSummary[], look: Look): Line[] {
  const total = (member: 'served' | 'refused') => summaries.reduce((sum, summary) => sum + summary[member], 0);
  const names = [...new Set(summaries.map(({ plan }) => plan))];
  const plans = names.length > 2 ? counted(names.length, 'plan') : listed(names);
  return beside(label, `${plans}: ${count(total('served'))} served, ${count(total('refused'))} refused`, look, 1);
}

const beside = (profile: string, text: string, look: Look, most: number): Line[] =>
  hang([span(`  load ${profile.padEnd(14)}`, 'quiet')], text, 'plain', look, most);
