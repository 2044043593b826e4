import type { Results } from '../../outcome/results/results.js';

/**
 * results.json as text; its JSON Schema is `config/schemas/results.schema.json`. A finding's words name its
 * plan and values.
 */
export function resultsJson(results: Results): string {
  const requirements = results.requirements.map((row) => ({
    ...row,
    findings: row.findings.map((finding) => ({ ...finding, plan: undefined, measured: undefined })),
  }));
  return JSON.stringify({ ...results, requirements }, null, 2) + '\n';
}
