import type { RequirementId } from '../../base/interface/types.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { exchangesById } from '../../outcome/results/requirement-result.js';
import type { RequirementResult, Results } from '../../outcome/results/results.js';
import { LIMIT_MISTAKES } from './limit-mistakes.js';
import type { LikelyCause } from './likely-cause.js';
import type { Natural, Seen } from './natural-mistake.js';
import { REQUEST_MISTAKES } from './request-mistakes.js';

const NATURAL: readonly Natural[] = [...REQUEST_MISTAKES, ...LIMIT_MISTAKES];

/**
 * Returns the commonest mistakes by nature that failed rows show by themselves, with the amount measured.
 * Rows that show the same mistake are one cause. Pure.
 *
 * @param explained rows with a cause already
 */
export function naturalCauses(
  results: Pick<Results, 'requirements' | 'exchanges'> & Partial<Pick<Results, 'load'>>,
  explained: ReadonlySet<string>,
): readonly LikelyCause[] {
  const known = exchangesById(results);
  const causes = new Map<string, { title: string; rows: RequirementId[] }>();
  for (const row of results.requirements) {
    if (row.outcome !== 'failed' || explained.has(row.id)) continue;
    const seen = { ...seenIn(row, known), run: results };
    for (const { name, rows, sentence } of NATURAL) {
      const title = rows.test(row.id) ? sentence(seen) : null;
      if (title === null) continue;
      const cause = causes.get(name);
      if (cause) cause.rows.push(row.id);
      else causes.set(name, { title, rows: [row.id] });
      break;
    }
  }
  return [...causes].map(([name, { title, rows }]) => ({ name, title, rows }));
}

/** The first exchange of a finding broke the statement; the others are its controls. */
const seenIn = (
  { findings }: RequirementResult,
  exchanges: ReadonlyMap<string, Exchange>,
): Omit<Seen, 'run'> => ({
  measured: findings.flatMap(({ measured }) => measured ?? []),
  actual: findings.flatMap(({ actual }) => actual ?? []),
  responses: findings.flatMap((finding) => exchanges.get(finding.exchanges[0] ?? '') ?? []),
  findings: findings.length,
});
