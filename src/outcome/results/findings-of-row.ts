import {
  about,
  blocked,
  kept,
  outOfScope,
  unestablished,
  untried,
  violated,
  type Finding,
  type Reason,
  type ReasonCode,
} from '../../judge/findings/finding.js';
import type { Requirement, RequirementId } from '../../base/interface/types.js';
import { isKeptByTraffic } from '../../judge/limits/traffic-rows.js';
import { removalPhaseOn } from '../../base/interface/removal-phase.js';
import { isSelected } from '../../log/header.js';
import type { LogHeader, Obstacle } from '../../log/record.js';
import type { RunLog } from '../../log/run-log.js';
import { endsItself } from './run-cause.js';
import { listed } from '../../base/kernel/format.js';
import { kindOfAnswer } from '../../wire/exchange/headers.js';
import { waitedOut } from './waited-out.js';

/** Returns a row's findings, with those that follow from gaps in the log. */
export function findingsOf(row: Requirement, log: RunLog): readonly Finding[] {
  const { selection } = log.header.scope;
  const notApplicable = (code: Reason['code'], text: string) => [about(row.id, outOfScope(code, text))];
  if (!isSelected(log.header.scope, row.id)) return notApplicable('not-selected', 'not selected');
  if (row.judgedBy.kind === 'nobody') return notApplicable('untestable', row.judgedBy.reason);
  if (row.judgedBy.kind === 'compare')
    return notApplicable('opt-in', 'needs a second target: compare two runs');
  // A single response before the start is no basis: it may come from a proxy or another service.
  if (log.footer?.obstacle?.code === 'web-page' && row.id === 'json-media-type')
    return [pageForList(log.footer.obstacle)];
  if (log.footer?.obstacle) {
    const beyond = beyondScope(row, log.header);
    if (beyond !== null) return notApplicable(beyond.code, beyond.text);
    return [
      about(row.id, unestablished('not-started', `the run could not start: ${log.footer.obstacle.short}`)),
    ];
  }
  const found: Finding[] = log.findings.filter((finding) => finding.requirement === row.id);
  if (log.header.scope.sides) return found.length > 0 ? found : notApplicable(...beyondTraffic(row, log));
  if (log.kept.has(row.id)) found.push(about(row.id, kept([])));
  // A load run or a story judges its own rows. Other rows it can only show as violated.
  const alone = aloneIn(log.header);
  const isPassive = row.judgedBy.kind === 'passive';
  if (alone !== null && (!isPassive || found.length === 0)) {
    if (found.some(({ kind }) => kind === 'violated' || kind === 'fault')) return found;
    return isPassive
      ? notApplicable('not-observed', `no response of ${alone} is one that it applies to`)
      : notApplicable('not-selected', `${alone} shows only where a response breaks it`);
  }
  // An unfinished suite may lack the finding that decides.
  // An untested part says nothing about the rest.
  const isSpokenOf = found.some(({ kind }) => kind !== 'untried');
  if (isSpokenOf && (log.settled.has(row.id) || row.judgedBy.kind !== 'suite'))
    return row.judgedBy.kind === 'load' && !log.footer?.complete
      ? found.map((finding) => cutShort(finding, log))
      : [...found, ...unseenAnswers(row, log), ...unjudgedOutage(row, log)];
  const failedBefore = log.footer?.complete ? rowFailedBefore(row, log) : null;
  if (failedBefore !== null)
    return [...found, about(row.id, blocked(failedBefore, 'every response it needs failed that check'))];
  const unanswered = log.footer?.complete && isPassive && selection ? unansweredIn(log) : null;
  if (unanswered !== null)
    return [
      ...found,
      about(row.id, unestablished(unanswered, 'no request got a response that it applies to')),
    ];
  if (log.footer?.complete && row.judgedBy.kind === 'passive' && selection)
    return notApplicable('not-observed', 'no selected request got a response that it applies to');
  if (!log.footer?.complete && row.id === AFTER_REMOVAL) {
    const when = removalPhaseOn(log.header.interface.removalDate, log.header.scope.asOf);
    if (when !== 'after') return notApplicable('removal-date', notYet(log.header));
  }
  const asksForLoad = selection?.only !== 'suites';
  // What the suites cannot show is not selected either in a run that ended early.
  const isOpen = !log.footer?.complete && isKeptByTraffic(row.id, log.header.target);
  if (row.judgedBy.kind === 'load' && !asksForLoad && !isOpen)
    return notApplicable(WITHOUT_LOAD.code, WITHOUT_LOAD.text);
  const { code, text } = whyOpen(row, log);
  return [...found, about(row.id, unestablished(code, text))];
}

/**
 * Returns why a test got no response, null where each got one: it may have left out the requests that show a
 * passive row.
 */
const unansweredIn = ({ findings }: RunLog): ReasonCode | null =>
  findings.flatMap((finding) =>
    finding.kind === 'inconclusive' && UNANSWERED.has(finding.reason.code) ? [finding.reason.code] : [],
  )[0] ?? null;

const UNANSWERED: ReadonlySet<ReasonCode> = new Set(['transport', 'untrusted', 'unavailable']);

/** Returns the row that a response violated which shows a passive row; null without one. */
function rowFailedBefore(
  { id, judgedBy }: Requirement,
  { findings, exchanges }: RunLog,
): RequirementId | null {
  if (judgedBy.kind !== 'passive') return null;
  const { answers } = judgedBy;
  const shows = new Set(exchanges.flatMap((each) => (answers.includes(kindOfAnswer(each)) ? [each.id] : [])));
  const failed = findings.find(
    (finding) =>
      finding.kind === 'violated' &&
      finding.requirement !== id &&
      isOfHeaders(finding.requirement) === isOfHeaders(id) &&
      finding.exchanges.some((exchange) => shows.has(exchange)),
  );
  return failed?.requirement ?? null;
}

/** Whether a row judges rate headers: they are judged apart from status and body. */
const isOfHeaders = (id: RequirementId): boolean => id.startsWith('rate-');

const WITHOUT_LOAD: Reason = {
  code: 'not-selected',
  text: 'the suites do not decide it, and load was not selected',
};

/** Returns why a run of this scope judges a row in no case, even if it can start; null if it may. */
function beyondScope({ id, judgedBy }: Requirement, header: LogHeader): Reason | null {
  const { selection, includes, asOf } = header.scope;
  if (id === AFTER_REMOVAL && removalPhaseOn(header.interface.removalDate, asOf) !== 'after')
    return { code: 'removal-date', text: notYet(header) };
  if (judgedBy.kind !== 'load') return null;
  if (selection?.only === 'suites' && !isKeptByTraffic(id, header.target)) return WITHOUT_LOAD;
  const optIns = judgedBy.profiles.filter((profile) => profile === 'ban' || profile === 'day-quota');
  const [optIn] = optIns;
  return optIn === undefined || optIns.length < judgedBy.profiles.length || includes.includes(optIn)
    ? null
    : { code: 'opt-in', text: `the profile ${optIn} runs only with --include ${optIn}` };
}

/** Row that no run before the removal judges, however it ends. */
const AFTER_REMOVAL: RequirementId = 'get-after-removal';

const notYet = ({ interface: { removalDate } }: LogHeader): string =>
  `not after ${removalDate}, the removal date`;

const beyondTraffic = ({ judgedBy }: Requirement, { footer }: RunLog): [code: Reason['code'], text: string] =>
  !footer?.complete
    ? [INTERRUPTED.code, INTERRUPTED.text]
    : judgedBy.kind === 'client'
      ? ['not-selected', 'no selected scenario can show it']
      : ['beyond-traffic', 'needs requests that a client does not send'];

function unseenAnswers({ id, judgedBy }: Requirement, { shown, header }: RunLog): readonly Finding[] {
  const seen = shown.get(id);
  if (judgedBy.kind !== 'passive' || !seen) return [];
  const isRemoved = removalPhaseOn(header.interface.removalDate, header.scope.asOf) !== 'before';
  const unseen = judgedBy.answers.filter(
    (answer) => !seen.has(answer) && !(isRemoved && answer.startsWith('getPet')),
  );
  return unseen.length === 0 ? [] : [about(id, untried(`responses of ${listed(unseen)} (none received)`))];
}

function unjudgedOutage({ id }: Requirement, log: RunLog): readonly Finding[] {
  const what = id === 'declared-status' ? waitedOut(log) : null;
  return what === null
    ? []
    : [about(id, untried(`${what} (the target was unavailable, and the run waited)`))];
}

/** Returns the part that ran instead of suites and load profiles; null if none did. */
function aloneIn({ scope: { selection } }: RunLog['header']): string | null {
  if (selection?.scenario !== undefined) return 'a load run';
  return selection?.replay === undefined ? null : 'a replayed story';
}

/**
 * Inconclusive load of an interrupted run has one reason: the interruption, not the store, the window, or a
 * server that did not respond any more.
 */
function cutShort(finding: Finding, log: RunLog): Finding {
  if (finding.kind !== 'inconclusive') return finding;
  const { code } = finding.reason;
  const isOfEnd = code === 'too-little-data' || (code === 'transport' && endsItself(log));
  return isOfEnd ? { ...finding, reason: INTERRUPTED } : finding;
}

export const INTERRUPTED: Reason = { code: 'interrupted', text: 'the run ended before this was judged' };

/** A server that returns a web page and 200 for its listing is a failing target, not a missing one. */
const pageForList = ({ message }: Obstacle): Finding =>
  about('json-media-type', violated([], message, { expected: 'application/json', actual: 'an HTML page' }));

function whyOpen(row: Requirement, log: RunLog): Reason {
  if (!log.footer?.complete) return INTERRUPTED;
  if (row.judgedBy.kind === 'suite' && row.judgedBy.suite === 'own')
    return { code: 'own-suite', text: 'no test judged it' };
  return row.judgedBy.kind === 'passive'
    ? { code: 'prerequisite', text: 'every response it needs failed an earlier check' }
    : { code: 'nothing-judged', text: 'nothing was judged' };
}
