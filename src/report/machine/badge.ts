import type { Results } from '../../outcome/results/results.js';
import type { Verdict } from '../../judge/verdict.js';
import { acceptedWords, requiredCountOf } from '../../outcome/words/required-count.js';
import { acceptedStanding, standingOf } from '../../outcome/words/standing.js';
import { hasFullWindows } from '../../outcome/words/bounds.js';
import { CAPACITY_LABELS } from '../../outcome/words/outcomes.js';
import { turnedByOwn } from '../../outcome/words/own.js';

type Color = 'brightgreen' | 'red' | 'orange' | 'lightgrey';

/** A load run's colour: green where every threshold was met and no response violated a row. */
const LOAD: Readonly<Record<Verdict, Color>> = {
  conformant: 'brightgreen',
  'non-conformant': 'red',
  inconclusive: 'orange',
  error: 'lightgrey',
};

/**
 * Returns badge.json, in the endpoint format of shields.io (https://shields.io/badges/endpoint-badge): green only for a conformant full run of the whole interface with its own windows; any
 * lesser run says so.
 */
export function badgeOf(results: Results) {
  const { capacity, complete, verdict, scope } = results;
  const badge = (message: string, color: Color, label = `pet store ${results.interface.version}`) => ({
    schemaVersion: 1,
    label,
    message,
    color,
    // Prevents a page from changing the badge's colour.
    isError: color !== 'brightgreen',
  });
  if (capacity) {
    const message = CAPACITY_LABELS[verdict].toLowerCase();
    const label = `load ${capacity.scenario}`;
    return complete ? badge(message, LOAD[verdict], label) : badge(`interrupted, ${message}`, 'red', label);
  }
  if (results.obstacle) return badge('not started', 'lightgrey');
  const { inScope, passed, failed } = requiredCountOf(results);
  const bounds = [
    ...(scope.selection ? [scope.selection.part === undefined ? 'selection' : `part ${scope.selection.part}`] : []),
    ...(hasFullWindows(results) ? [] : ['short windows']),
  ];
  const bounded = (message: string, color: Color) => badge([message, ...bounds].join(', '), color);
  if (!complete && verdict !== 'error')
    return bounded(failed > 0 ? `interrupted, ${failed} of ${inScope} failed` : 'interrupted', 'red');
  const accepted = acceptedStanding(standingOf(results));
  if (results.baseline?.met === false) {
    const words = accepted === null ? verdict : accepted.toLowerCase();
    return bounded(`baseline not met, ${words} ${passed}/${inScope}`, 'red');
  }
  if (accepted !== null) return bounded(`${accepted.toLowerCase()}, ${passed}/${inScope}`, 'orange');
  if (turnedByOwn(results)) return bounded(`own suites: ${verdict}`, verdict === 'conformant' ? 'lightgrey' : 'red');
  switch (verdict) {
    case 'conformant':
      return bounded(`conformant ${passed}/${inScope}`, bounds.length > 0 ? 'lightgrey' : 'brightgreen');
    case 'non-conformant': {
      const counts = failed > 0 ? `${failed} of ${inScope} failed` : `${passed}/${inScope}`;
      return bounded([counts, ...(results.accepted ? [acceptedWords(results)] : [])].join(', '), 'red');
    }
    case 'inconclusive':
      return bounded(`inconclusive ${passed}/${inScope}`, 'orange');
    case 'error':
      return bounded('kit fault', 'lightgrey');
  }
}

/** badge.json as text. */
export const badgeJson = (results: Results): string => JSON.stringify(badgeOf(results), null, 2) + '\n';
