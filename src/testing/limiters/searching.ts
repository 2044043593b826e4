const more = process.env['LIMIT_RUNS'];

/**
 * Returns fast-check options for properties of limiters. By default the few cases are the same in every run, so a pass
 * holds everywhere. `LIMIT_RUNS=500 node --test ...` draws that many new cases.
 */
export const searching = (usual: number) => ({
  numRuns: more === undefined ? usual : Number(more),
  includeErrorInReport: true,
  ...(more === undefined && { seed: 1 }),
});
