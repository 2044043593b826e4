import type { Results } from '../../outcome/results/results.js';
import type { Verdict } from '../../judge/verdict.js';
import { count } from '../../base/kernel/format.js';
import { acceptedWords, requiredCountOf } from '../../outcome/words/required-count.js';
import { acceptedVerdictWords, scopedVerdictOf } from '../../outcome/words/scoped-verdict.js';
import { hasFullWindows } from '../../outcome/words/bounds.js';
import { CAPACITY_LABELS } from '../../outcome/words/outcomes.js';
import { timesOfRun } from '../../outcome/words/traffic.js';
import { turnedByOwn } from '../../outcome/words/own.js';

type Color = 'brightgreen' | 'red' | 'orange' | 'lightgrey';

/** A load run's colour: green where every threshold was met and no response violated a row. */
const LOAD: Readonly<Record<Verdict, Color>> = {
  conformant: 'brightgreen',
  'non-conformant': 'red',
  inconclusive: 'orange',
  error: 'lightgrey',
};

/** Colour where own suites decide. */
const OWN: Readonly<Record<Verdict, Color>> = { ...LOAD, conformant: 'lightgrey' };

/** “24 Nov 2026”, UTC. */
const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/**
 * Returns badge.json, in the endpoint format of shields.io (https://shields.io/badges/endpoint-badge), with
 * the day of the run, or of the traffic. Green only for a conformant full run of the whole interface with its
 * own windows; any lesser run says so. Red only if something failed: a run that was cut short or is
 * inconclusive shows no fault of the target.
 */
export function badgeOf(results: Results) {
  const { capacity, complete, verdict, scope } = results;
  const badge = (message: string, color: Color, label = 'pet store') => ({
    schemaVersion: 1,
    label,
    message: `${message} · ${DAY.format(Date.parse(timesOfRun(results).startedAt))}`,
    color,
    // Prevents a page from changing the badge's colour.
    isError: color !== 'brightgreen',
  });
  if (capacity) {
    const message = CAPACITY_LABELS[verdict].toLowerCase();
    const label = `load ${capacity.scenario}`;
    if (complete) return badge(message, LOAD[verdict], label);
    return badge(`interrupted, ${message}`, verdict === 'non-conformant' ? 'red' : 'orange', label);
  }
  if (results.obstacle) return badge('not started', 'lightgrey');
  const { inScope, passed, failed } = requiredCountOf(results);
  const bounds = [
    ...(scope.selection ? ['selection'] : []),
    ...(hasFullWindows(results) ? [] : ['short windows']),
  ];
  const bounded = (message: string, color: Color) => badge([message, ...bounds].join(', '), color);
  const redIfFailed: Color = failed > 0 ? 'red' : 'orange';
  if (!complete && verdict !== 'error')
    return bounded(
      failed > 0 ? `interrupted, ${count(failed)} of ${count(inScope)} failed` : 'interrupted',
      redIfFailed,
    );
  const accepted = acceptedVerdictWords(scopedVerdictOf(results));
  if (results.baseline?.met === false) {
    const words = accepted === null ? verdict : `${accepted.toLowerCase()},`;
    return bounded(`baseline not met, ${words} ${passed}/${inScope}`, redIfFailed);
  }
  if (accepted !== null) return bounded(`${accepted.toLowerCase()}, ${passed}/${inScope}`, 'orange');
  if (results.clean === true) {
    const { inScope: shown, outOfScope } = requiredCountOf(results);
    return bounded(`no violation seen in ${shown}/${shown + outOfScope}`, 'lightgrey');
  }
  if (turnedByOwn(results)) return bounded(`own suites: ${verdict}`, OWN[verdict]);
  switch (verdict) {
    case 'conformant':
      return bounded(
        `conformant ${results.interface.version}`,
        bounds.length > 0 ? 'lightgrey' : 'brightgreen',
      );
    case 'non-conformant': {
      const counts = failed > 0 ? `${count(failed)} of ${count(inScope)} failed` : `${passed}/${inScope}`;
      return bounded([counts, ...(results.accepted ? [acceptedWords(results)] : [])].join(', '), redIfFailed);
    }
    case 'inconclusive':
      return bounded(inScope === 0 ? 'nothing judged' : `inconclusive ${passed}/${inScope}`, 'orange');
    case 'error':
      return bounded('kit fault', 'lightgrey');
  }
}

export const badgeJson = (results: Results): string => JSON.stringify(badgeOf(results), null, 2) + '\n';
