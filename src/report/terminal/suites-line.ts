import type { Requirement } from '../../base/interface/types.js';
import { count, counted, listedUpTo } from '../../base/kernel/format.js';
import type { RunLog } from '../../log/run-log.js';
import { resultsOf } from '../../outcome/results/results.js';
import { AMOUNTS } from '../amounts.js';
import { flow, mark, span, type Line } from './lines.js';
import { inScope } from './view.js';

/** A shorter run is over before anybody reads the verdict of a part, s. */
const WORTH_SAYING_SECONDS = 10;

/**
 * Formats the verdict of the suites while load goes on; null if the run selected no row of theirs, or is
 * short. Later responses may still violate rows that every response shows.
 */
export function suitesLine(log: RunLog, rows: readonly Requirement[]): Line | null {
  if ((log.preflight?.plannedSeconds ?? 0) < WORTH_SAYING_SECONDS) return null;
  const own = new Set(
    rows
      .filter(
        (row) =>
          (row.judgedBy.kind === 'suite' || row.judgedBy.kind === 'passive') && inScope(row, log.header),
      )
      .map(({ id }) => id),
  );
  const required = resultsOf(log, rows).requirements.filter(
    ({ id, level }) => own.has(id) && level === 'must',
  );
  const idsOf = (outcome: 'failed' | 'inconclusive'): readonly string[] =>
    required.filter((row) => row.outcome === outcome).map(({ id }) => id);
  const [failed, open] = [idsOf('failed'), idsOf('inconclusive')];
  const passed = required.filter(({ outcome }) => outcome === 'passed').length;
  const judged = passed + failed.length + open.length;
  if (judged === 0) return null;
  const outcome = failed.length > 0 ? 'failed' : open.length > 0 ? 'inconclusive' : 'passed';
  return flow(
    [span('suites     ', 'quiet'), mark(outcome)],
    [
      ...(failed.length > 0
        ? [span(`${count(failed.length)} failed: ${listedUpTo(failed, AMOUNTS.terminal.lineNames)}`, 'bad')]
        : []),
      ...(open.length > 0 ? [`${count(open.length)} inconclusive`] : []),
      ...(outcome === 'passed'
        ? [
            `${count(passed)} of ${counted(judged, 'required behaviour')} passed`,
            span('now the rate limit', 'quiet'),
          ]
        : [`${count(passed)} of ${count(judged)} passed`]),
    ],
  );
}
