import type { OwnResults, Results } from '../results/results.js';
import { count, counted } from '../../base/kernel/format.js';
import { requiredCountOf } from './required-count.js';

export const OWN_TITLE = 'Own suites';

/** Describes the result of own suites, as a clause without a full stop. */
export const ownClause = (own: OwnResults): string => `own suites: ${ownFigures(own)}`;

export function ownFigures(own: OwnResults): string {
  const { inScope, passed, failed, inconclusive } = requiredCountOf(own);
  const of = counted(inScope, 'required behaviour');
  return [
    failed > 0
      ? `${count(failed)} of ${of} ${failed === 1 ? 'fails' : 'fail'}`
      : `${count(passed)} of ${of} ${passed === 1 ? 'holds' : 'hold'}`,
    ...(inconclusive > 0 ? [`${count(inconclusive)} inconclusive`] : []),
    ...(own.problems.length > 0 ? [`${counted(own.problems.length, 'problem')} in their files`] : []),
  ].join(', ');
}

export const ownEffect = ({ decide }: Pick<OwnResults, 'decide'>): string =>
  decide ? 'they also decide the verdict' : 'they do not affect the verdict';

export const ownBound = ({ own }: Pick<Results, 'own'>): string | null =>
  own ? `${ownClause(own)}; ${ownEffect(own)}` : null;

export const turnedByOwn = ({ own, verdict }: Pick<Results, 'own' | 'verdict'>): boolean =>
  own?.decide === true && own.withoutThem !== verdict;

/** Formats a problem with its place, as compilers do. */
export const problemText = ({ message, file, line }: OwnResults['problems'][number]): string =>
  file === undefined ? message : `${file}${line === undefined ? '' : `:${line}`}: ${message}`;
