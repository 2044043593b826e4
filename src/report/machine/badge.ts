import type { Results } from '../../verdict/results.js';
import { acceptedWords, isAccepted, requiredCountOf } from '../../words/required-count.js';
import { hasFullWindows } from '../../words/bounds.js';
import { turnedByOwn } from '../../words/own.js';

/** Endpoint format of shields.io: https://shields.io/badges/endpoint-badge */
export interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: 'brightgreen' | 'red' | 'orange' | 'lightgrey';
  /** True prevents a page from changing the badge's colour. */
  readonly isError: boolean;
}

/** badge.json: green only for a conformant full run of the whole interface with its own windows; any lesser run says so. */
export function badgeOf(results: Results): Badge {
  const label = `pet store ${results.interface.version}`;
  const { inScope, passed, failed } = requiredCountOf(results);
  const bounds = [
    ...(results.scope.selection
      ? [results.scope.selection.part === undefined ? 'selection' : `part ${results.scope.selection.part}`]
      : []),
    ...(hasFullWindows(results) ? [] : ['short windows']),
  ];
  if (results.capacity) return capacityBadge(results, results.capacity.scenario);
  const badge = (message: string, color: Badge['color']): Badge => ({
    schemaVersion: 1,
    label,
    message: [message, ...bounds].join(', '),
    color,
    isError: color !== 'brightgreen',
  });
  if (results.obstacle) return { ...badge('not started', 'lightgrey'), message: 'not started' };
  if (!results.complete && results.verdict !== 'error')
    return badge(failed > 0 ? `interrupted, ${failed} of ${inScope} failed` : 'interrupted', 'red');
  if (isAccepted(results)) return badge(`${passed}/${inScope}, ${acceptedWords(results)}`, 'orange');
  if (turnedByOwn(results))
    return badge(`own suites: ${results.verdict}`, results.verdict === 'conformant' ? 'lightgrey' : 'red');
  switch (results.verdict) {
    case 'conformant':
      return badge(`conformant ${passed}/${inScope}`, bounds.length > 0 ? 'lightgrey' : 'brightgreen');
    case 'non-conformant':
      return badge(
        [
          failed > 0 ? `${failed} of ${inScope} failed` : `${passed}/${inScope}`,
          ...(results.accepted ? [acceptedWords(results)] : []),
        ].join(', '),
        'red',
      );
    case 'inconclusive':
      return badge(`inconclusive ${passed}/${inScope}`, 'orange');
    case 'error':
      return badge('kit fault', 'lightgrey');
  }
}

/** Badge of a load run: green where every threshold was met and no response violated a row. */
function capacityBadge({ verdict, complete }: Results, scenario: string): Badge {
  const message = {
    conformant: 'kept',
    'non-conformant': 'not kept',
    inconclusive: 'inconclusive',
    error: 'kit fault',
  }[verdict];
  const color = (
    { conformant: 'brightgreen', 'non-conformant': 'red', inconclusive: 'orange', error: 'lightgrey' } as const
  )[verdict];
  return {
    schemaVersion: 1,
    label: `load ${scenario}`,
    message: complete ? message : `interrupted, ${message}`,
    color: complete ? color : 'red',
    isError: !complete || verdict !== 'conformant',
  };
}

/** badge.json as text. */
export const badgeJson = (results: Results): string => JSON.stringify(badgeOf(results), null, 2) + '\n';
