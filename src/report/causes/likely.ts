import type { LikelyCause } from './likely-cause.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { Results } from '../../outcome/results/results.js';
import { cacheBefore } from './cache.js';
import { sharedAllowance, wrongCounting } from './limiter.js';
import { naturalCauses } from './natural.js';

/**
 * Returns the mistakes behind the failed rows of a run, by rules for what developers and frameworks do by
 * default. Where no rule fits, none is named: a wrong cause costs more than none. Pure.
 *
 * @param all exchanges of the run; those of the results are only the ones that findings name
 */
export function likelyCauses(
  results: Pick<Results, 'requirements' | 'exchanges'>,
  all: readonly Exchange[],
): readonly LikelyCause[] {
  // Repeats from a cache are no mistake of the service.
  const cache = cacheBefore({ requirements: results.requirements, exchanges: all });
  if (cache !== null) return [cache];
  const ofLimiter = sharedAllowance(results) ?? wrongCounting(results);
  const found = ofLimiter === null ? [] : [ofLimiter];
  return [...found, ...naturalCauses(results, new Set(found.flatMap(({ rows }) => rows)))];
}

/** Returns a likely cause in a line: “A creation gets 200 in place of 201 (created-with-200)”. */
export const causeWords = ({ name, title }: LikelyCause): string => `${title.replace(/\.$/, '')} (${name})`;
