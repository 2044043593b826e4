import type { Results } from '../../verdict/results.js';

/** results.json as text; its JSON Schema is `config/schemas/results.schema.json`. A finding's message names its plan. */
export function resultsJson(results: Results): string {
  const requirements = results.requirements.map((row) => ({
    ...row,
    findings: row.findings.map((finding) => ({ ...finding, plan: undefined })),
  }));
  return JSON.stringify({ ...results, requirements }, null, 2) + '\n';
}
