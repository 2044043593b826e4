import type { Results } from '../results/results.js';
import { count, counted, listed, capital } from '../../base/kernel/format.js';
import { capacityClause, isCapacityRun } from './capacity.js';
import { requiredCountOf, type RequiredCount, acceptedWords, isAccepted } from './required-count.js';
import { ownFigures, turnedByOwn } from './own.js';

const MOST_NAMED = 3;

/**
 * Returns the verdict as one quotable sentence: target, interface and version, required behaviours of how
 * many. An incomplete run is said first; a selection stands next to the figures. No full stop, so that
 * clauses may follow; the target's name is not escaped.
 */
export function verdictClause(results: Results): string {
  const { verdict, complete, obstacle } = results;
  if (obstacle) return cannotStart(obstacle).replace(/\s*\.$/, '');
  if (isCapacityRun(results)) return capacityClause(results);
  if (results.sides) return sidesClause(results, results.sides);
  const { own } = results;
  // The interface's result comes first, then own suites with their effect.
  if (own && turnedByOwn(results)) {
    const byInterface = verdictClause({
      ...results,
      verdict: own.withoutThem,
      own: { ...own, decide: false },
    });
    const bySuites = `${subjectOf(results)} is ${turned(verdict)} by own suites: ${ownFigures(own)}`;
    return `${bySuites}; by the interface only, ${byInterface}`;
  }
  if (complete) return `${causeLead(results)}${claimOf(results)}`;
  const joint = { 'non-conformant': 'but it shows that', inconclusive: 'so', conformant: 'so', error: 'and' }[
    verdict
  ];
  return `The run was cut short, ${joint} ${claimOf(results)}`;
}

export const subjectOf = (run: Pick<Results, 'target' | 'label'>): string =>
  `${run.target.name}${ofBuild(run)}`;

/** “ (build 7)”, to follow the name of a run. */
export const ofBuild = ({ label }: Pick<Results, 'label'>): string =>
  label === undefined ? '' : ` (${buildWords(label)})`;

/** “build 7”, also of a label that says so itself. */
export const buildWords = (label: string): string => (/^build\b/i.test(label) ? label : `build ${label}`);

export const ofSide = (
  results: Results,
  { verdict, clean, requirements: ids }: NonNullable<Results['sides']>[number],
): Results => ({
  ...results,
  verdict,
  clean: clean ?? false,
  requirements: results.requirements.filter(({ id }) => ids.includes(id)),
});

function sidesClause(results: Results, sides: NonNullable<Results['sides']>): string {
  const cut = results.complete ? '' : 'The run was cut short: ';
  return (
    cut +
    sides
      .map((one) => {
        const own = ofSide(results, one);
        if (one.side === 'service') return claimOf(own);
        // The run's name is that of the service where it judges both, and the interface's has been named.
        return sides.length > 1
          ? claimOf(own, CLIENT, 'the client', 'its part')
          : claimOf(own, CLIENT, subjectOf(own));
      })
      .join('; ')
  );
}

/**
 * The cause in the run itself, before the claim: “PETSTORE_PRO_KEY was refused (401), so ”; empty without
 * one.
 */
function causeLead({ cause, verdict }: Results): string {
  if (!cause) return '';
  const text = capital(cause.text);
  if (text.endsWith('?')) return `${text} `;
  return verdict === 'inconclusive' ? `${text}, so ` : `${text}. `;
}

const turned = (verdict: Results['verdict']): string =>
  ({
    conformant: 'accepted',
    'non-conformant': 'not accepted',
    inconclusive: 'not yet accepted',
    error: 'not judged',
  })[verdict];

/** Words about what one side of the wire has to keep. */
interface Duty {
  readonly keeps: string;
  readonly keep: string;
  /** Its part of the interface, before the interface's name. */
  readonly part: string;
  readonly who: string;
}
const SERVICE: Duty = { keeps: 'conforms to', keep: 'conform to', part: '', who: 'target' };
const CLIENT: Duty = { keeps: 'keeps', keep: 'keep', part: 'the client’s part of ', who: 'client' };

function claimOf(
  results: Results,
  { keeps, keep, part, who }: Duty = SERVICE,
  subject: string = subjectOf(results),
  document = `${part}Pet Store Service Interface ${results.interface.version}`,
): string {
  const { verdict, complete, scope, requirements } = results;
  const musts = requiredCountOf(results);
  const selected = scope.selection !== null;
  // A part cannot claim conformity of the whole. Scenarios select no part of a client's duties.
  const isPart = selected && part === '';
  const judged = isPart ? `the selected part of ${document}` : document;
  const reason = requirements.find((row) => row.reason?.code === 'did-not-end')?.reason;
  const hung = reason ? `; ${reason.text}` : '';
  if (results.clean === true)
    return (
      `${subject} shows no violation of ${count(musts.passed + musts.warned)} of ` +
      `${counted(musts.inScope + musts.outOfScope, 'required behaviour')} of ${document} in ` +
      `${counted(results.traffic?.inScope ?? 0, 'request')}${unansweredClause(results)}${hung}`
    );
  // The verdict stays non-conformant; the sentence names the accepted deviations instead of a failure.
  if (isAccepted(results) && musts.accepted > 0)
    return `${subject} ${keeps} ${judged} with ${acceptedWords(results)}${held(musts, selected)}`;
  switch (verdict) {
    case 'conformant':
      if (musts.inScope > 0) return `${subject} ${keeps} ${judged}${held(musts, selected)}${hung}`;
      return isPart
        ? `${subject} has no violation in ${judged}, which has no required behaviour`
        : `${subject} has no violation of ${judged}, but no required behaviour was in scope${hung}`;
    case 'non-conformant':
      return `${subject} does not ${keep} ${document}: ${broken(musts, selected)}${hung}`;
    case 'inconclusive':
      return `${subject} has not been shown to ${keep} ${judged}: ${open(musts, selected, complete)}${hung}`;
    case 'error':
      return `${subject} has no verdict: the kit itself failed${faultsOf(results)}, not the ${who}`;
  }
}

/** “: all 57 required behaviours in scope hold”; empty where none does. */
function held({ inScope, passed, warned }: RequiredCount, selected: boolean): string {
  const [one, many] = selected
    ? ['required behaviour that was selected', 'required behaviours that were selected']
    : ['required behaviour in scope', 'required behaviours in scope'];
  if (passed + warned === 0 && inScope > 0) return '';
  if (passed < inScope) {
    const warning = `${count(warned)} ${verb(warned, 'has a warning', 'have a warning')}`;
    const holding = `${count(passed)} of ${counted(inScope, one, many)} ${verb(passed, 'holds', 'hold')}`;
    return `: ${holding}${warned === 0 ? '' : `, ${warning}`}`;
  }
  return inScope === 1 ? `: the one ${one} holds` : `: all ${count(inScope)} ${many} hold`;
}

const verb = (amount: number, one: string, many: string): string => (amount === 1 ? one : many);

/** Returns the figures of what does not hold; the first one has its noun. */
function broken({ failed, inScope, accepted, inconclusive }: RequiredCount, selected: boolean): string {
  return [
    ...(failed > 0 || accepted === 0 ? [[failed, verb(failed, 'fails', 'fail')] as const] : []),
    ...(accepted > 0 ? [[accepted, `${verb(accepted, 'deviates', 'deviate')} as accepted`] as const] : []),
    ...(inconclusive > 0 ? [[inconclusive, 'could not be determined'] as const] : []),
  ]
    .map(
      ([amount, what], index) =>
        `${count(amount)}${index === 0 ? ` of ${ofMusts(inScope, selected)}` : ''} ${what}`,
    )
    .join(', ');
}

function open({ inconclusive, inScope }: RequiredCount, selected: boolean, complete: boolean): string {
  if (inScope === 0) return 'nothing was judged';
  if (inconclusive === 0)
    return complete ? 'no judgement was completed' : 'no required behaviour fails, but not all were tested';
  if (inconclusive === inScope) return `none of ${ofMusts(inScope, selected)} could be determined`;
  return `${count(inconclusive)} of ${ofMusts(inScope, selected)} could not be determined, and none of the others fails`;
}

const ofMusts = (amount: number, selected: boolean): string =>
  counted(amount, `${selected ? 'selected ' : ''}required behaviour`);

function faultsOf({ requirements }: Results): string {
  const ids = requirements.filter(({ outcome }) => outcome === 'error').map(({ id }) => id);
  if (ids.length === 0) return '';
  return ` at ${ids.length > MOST_NAMED ? counted(ids.length, 'requirement') : listed(ids)}`;
}

/**
 * Obstacle of a run, as the first sentence of every report. Only a terminal needs the blank behind an
 * address.
 */
export const cannotStart = ({ message }: NonNullable<Results['obstacle']>): string =>
  `Cannot start: ${message.replace(/ ([.?])/g, '$1')}`;

/** Says what such a run judged: nothing, except for a web page in place of a listing, if its row is selected. */
export const whatWasJudged = ({ requirements }: Pick<Results, 'requirements'>): string =>
  requirements.some(({ id, outcome }) => id === 'json-media-type' && outcome === 'failed')
    ? 'An HTML page is not JSON, so json-media-type fails. Nothing else was judged.'
    : 'Nothing was judged.';

const unansweredClause = ({ traffic }: Pick<Results, 'traffic'>): string =>
  traffic?.unanswered === undefined
    ? ''
    : `, ${count(traffic.unanswered)} of them without a response from the service`;
