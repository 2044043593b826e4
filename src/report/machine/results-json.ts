import type { Results } from '../../verdict/results.js';

/** results.json as text; its JSON Schema is `config/schemas/results.schema.json`. */
export const resultsJson = (results: Results): string => JSON.stringify(results, null, 2) + '\n';
