import type { Results } from '../results/results.js';

export const ofAnyRun = (folder: string, results: Results, base: string | undefined) => ({
  folder,
  ...(base !== undefined && { base }),
  target: results.target.name,
  startedAt: results.startedAt,
  label: results.label ?? null,
  verdict: results.verdict,
  complete: results.complete,
});
