const more = process.env['LIMIT_RUNS'];

/**
 * How a property of limiters is searched: by default with the same few cases each time, so that what passes here passes
 * elsewhere; `LIMIT_RUNS=500 node --test ...` looks at so many others each time.
 */
export const searching = (usual: number) => ({
  numRuns: more === undefined ? usual : Number(more),
  includeErrorInReport: true,
  ...(more === undefined && { seed: 1 }),
});
