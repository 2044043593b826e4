const more = process.env['LIMIT_RUNS'];

/**
 * Returns fast-check options for properties of limiters. By default the few cases are the same in every run,
 * so a pass holds everywhere. `LIMIT_RUNS=500 node --test ...` draws that many new cases.
 *
 * @param seed of the usual cases; properties with one case each take one each
 */
export const searching = (usual: number, seed = 1) => ({
  numRuns: more === undefined ? usual : Number(more),
  includeErrorInReport: true,
  ...(more === undefined && { seed }),
});
