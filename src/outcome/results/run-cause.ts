import { planNames } from '../../base/interface/names.js';
import type { Requirement, RequirementId } from '../../base/interface/types.js';
import { isOwnLimit, ownLimit } from '../../wire/exchange/own-limits.js';
import type { ReasonCode } from '../../judge/findings/finding.js';
import { clock, count, counted, lowered } from '../../base/kernel/format.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { RunLog } from '../../log/run-log.js';
import { refusedKey, sharedKey, swappedKeys } from './key-causes.js';
import type { RunCause } from './part-shapes.js';
import type { RequirementResult } from './requirement-shape.js';

/** A cause, before the rows that follow from it are known. */
export interface Candidate extends Omit<RunCause, 'requirements'> {
  /** Plans whose keys it concerns; null for the whole run. */
  readonly plans: readonly string[] | null;
  /** Reasons of the rows that follow from it; any by default. */
  readonly reasons?: ReadonlySet<ReasonCode>;
  /** True for a row whose failure it explains completely; default: none. */
  readonly excuses?: (id: RequirementId) => boolean;
}

/** A cause, and the failed rows that it explains completely, so that they show nothing of the server. */
interface FoundCause {
  readonly cause: RunCause;
  readonly excused: ReadonlySet<RequirementId>;
}

/**
 * Returns the cause of a run's open rows: a server that stopped or was restarted, a refused key, swapped
 * keys, a key that something else uses, or bodies beyond the target file's limit; null without one. Pure.
 *
 * @param rows the ledger's rows
 */
export function runCauseOf(
  log: RunLog,
  results: readonly RequirementResult[],
  rows: readonly Requirement[],
): FoundCause | null {
  if (log.footer?.obstacle || log.capacity !== null) return null;
  const candidate =
    ownLimitMet(log) ??
    stopped(log) ??
    restarted(log) ??
    refusedKey(log) ??
    swappedKeys(log) ??
    sharedKey(log) ??
    tooLarge(log);
  if (candidate === null) return null;
  const { plans, reasons, excuses, ...cause } = candidate;
  const ofLoad = new Set(rows.flatMap(({ id, judgedBy }) => (judgedBy.kind === 'load' ? [id] : [])));
  const follows = results.filter(
    (row) =>
      row.heldUpBy === undefined &&
      (plans === null
        ? isOpen(row) && (reasons === undefined || (row.reason !== undefined && reasons.has(row.reason.code)))
        : ofLoad.has(row.id) && (isOpen(row) || isRedFor(row, plans)) && concerns(row, plans)),
  );
  const excused = follows.flatMap(({ id, outcome }) =>
    outcome === 'failed' && excuses?.(id) === true ? [id] : [],
  );
  // A run that was judged all the same has no cause to name first.
  if (!follows.some(isOpen) && excused.length === 0) return null;
  return { cause: { ...cause, requirements: follows.map(({ id }) => id) }, excused: new Set(excused) };
}

/**
 * Gives the open rows that follow from a cause that cause as their reason, so that reports group them. Failed
 * rows that it excuses become open: the keys of the run may be wrong, and not the server. Pure.
 */
export const withRunCause = (
  results: readonly RequirementResult[],
  found: FoundCause | null,
): readonly RequirementResult[] =>
  found === null
    ? results
    : results.map((row) => {
        const reason = { code: found.cause.code, text: found.cause.text };
        if (found.excused.has(row.id)) return { ...row, outcome: 'inconclusive', reason, findings: [] };
        return row.outcome === 'inconclusive' && found.cause.requirements.includes(row.id)
          ? { ...row, reason }
          : row;
      });

/** Reasons of other causes: they stand for themselves. */
const OTHER_REASONS: ReadonlySet<ReasonCode> = new Set([
  'interrupted',
  'own-suite',
  'store-too-small',
  'thrift',
]);

const isOpen = ({ outcome, reason }: RequirementResult): boolean =>
  outcome === 'inconclusive' && !(reason && OTHER_REASONS.has(reason.code));

const isRedFor = ({ outcome, findings }: RequirementResult, plans: readonly string[]): boolean =>
  outcome === 'failed' && findings.every(({ plan }) => plan !== undefined && plans.includes(plan));

/**
 * True unless a reason speaks only of other plans. No plan can show that keys do not affect each other
 * without a second.
 */
function concerns({ id, reason }: RequirementResult, plans: readonly string[]): boolean {
  const named = planNames.filter((plan) => new RegExp(`\\b${plan}\\b`, 'i').test(reason?.text ?? ''));
  return id === 'rate-per-key' || named.length === 0 || named.some((plan) => plans.includes(plan));
}

const WITHOUT_RESPONSE: ReadonlySet<ReasonCode> = new Set(['transport']);

/** A limit of this machine, such as its open files, that kept a request of the suites from being sent. */
function ownLimitMet({ exchanges }: RunLog): Candidate | null {
  const unsent = exchanges.flatMap(({ answer }) =>
    answer.kind === 'none' && isOwnLimit(answer) ? [answer] : [],
  );
  const [first] = unsent;
  if (first === undefined) return null;
  const { words, remedy } = ownLimit(first.cause ?? SYSTEM_CODE.exec(first.message)?.[0]);
  return {
    code: 'own-limit',
    text: `this machine ${words}, so ${counted(unsent.length, 'request was', 'requests were')} not sent`,
    hint: remedy,
    plans: null,
    reasons: WITHOUT_RESPONSE,
  };
}

/** Error code of the system in a message, e.g. EMFILE. */
const SYSTEM_CODE = /\bE[A-Z_]{4,}\b/;

/** Fewest requests in a row without a response, to the end of the run: a single one may be lost on the way. */
const FEWEST_SILENT = 3;

/**
 * A server that did not respond any more from some moment to the end of the run. A certificate that is not
 * trusted is no such silence: something responded there. Nor are lost responses to requests whose outcome is
 * not shown: a server may drop them.
 */
function stopped(log: RunLog): Candidate | null {
  const { exchanges, answered, findings } = log;
  if (endsItself(log)) return null;
  if (findings.some((finding) => finding.kind === 'inconclusive' && finding.reason.code === 'untrusted'))
    return null;
  const responses = exchanges.filter(({ answer }) => answer.kind === 'response');
  const last = Math.max(
    ...responses.map(({ sentAt, latencyMs }) => sentAt + latencyMs),
    answered.lastAt ?? 0,
  );
  const silentAt = [
    ...exchanges.flatMap(({ sentAt, answer, intent }) =>
      answer.kind === 'none' && SILENT.has(answer.code) && intent.kind !== 'open' ? [sentAt] : [],
    ),
    // The load keeps no reason.
    ...(exchanges.some(isUnreadOfLoad) ? [] : answered.lost.map(({ sentAt }) => sentAt)),
  ].filter((at) => at >= last);
  if (responses.length === 0 || silentAt.length < FEWEST_SILENT) return null;
  const load = [...answered.statuses.values()].flatMap((byStatus) => [...byStatus]);
  const requests = load.reduce(
    (sum, [status, amount]) => sum + (status === 0 ? 0 : amount),
    responses.length,
  );
  return {
    code: 'server-stopped',
    text: stoppedWords(last, Math.min(...silentAt), requests),
    hint: 'Find out why it stopped, start it, and run again.',
    plans: null,
  };
}

/** Time in which a run that is interrupted gives up what is under way, judges, and writes its end, ms. */
const ENDING_MS = 3_000;

/**
 * Is true if a run's load lost requests only while the run was being interrupted: it closed their connections
 * itself.
 */
export function endsItself({
  footer,
  answered: { firstLostAt },
}: Pick<RunLog, 'footer' | 'answered'>): boolean {
  if (!footer || footer.complete || firstLostAt === null) return false;
  return firstLostAt >= Date.parse(footer.finishedAt) - ENDING_MS;
}

/** A server that was restarted during the load, by a finding that says so. */
function restarted({ findings }: RunLog): Candidate | null {
  const text = findings
    .flatMap((finding) => (finding.kind === 'inconclusive' ? [finding.reason.text] : []))
    .find((each) => each.startsWith(RESTARTED));
  if (text === undefined) return null;
  return {
    code: 'unavailable',
    text: lowered(text).replace(/\.$/, ''),
    hint: 'Run again while nothing is deployed.',
    plans: null,
    reasons: WITHOUT_RESPONSE,
  };
}

const RESTARTED = 'There seems to have been a restart of the server';

/** From this time without requests on, it matters when the server stopped, ms: a run sends several a second. */
const WAIT_MS = 1_000;

/** A time to the second: `10:00:01 UTC`. */
const second = (unixMs: number): string => `${clock(unixMs).slice(0, 8)} UTC`;

/**
 * Says when the server stopped, as far as the run knows: during a wait it sees neither a response nor a
 * failure.
 */
function stoppedWords(last: number, firstSilent: number, amount: number): string {
  return firstSilent - last < WAIT_MS
    ? `the server stopped responding at ${second(last)}, after ${counted(amount, 'response')}`
    : `no response came to the first request after a wait, at ${second(firstSilent)}; ` +
        `the ${amount === 1 ? 'only response' : `last of ${count(amount)} responses`} came at ${second(last)}`;
}

const SILENT: ReadonlySet<string> = new Set(['refused', 'reset', 'timeout', 'unknown-host']);

/**
 * Reasons of rows without a whole response: no check of a key means anything without the same request's
 * success.
 */
const UNREAD: ReadonlySet<ReasonCode> = new Set(['body-too-large', 'prerequisite']);

const isUnread = ({ answer }: Exchange): boolean => answer.kind === 'none' && answer.code === 'too-large';

/** A single animal that is too large: the load lists one as well. */
const isUnreadOfLoad = (exchange: Exchange): boolean =>
  isUnread(exchange) && /[?&]limit=1(&|$)/.test(exchange.request.path);

/** Bodies of the suites that are larger than the target file allows, such as animals with photos. */
function tooLarge({ exchanges }: RunLog): Candidate | null {
  const unread = exchanges.flatMap(({ answer }) =>
    answer.kind === 'none' && answer.code === 'too-large' ? [answer] : [],
  );
  const [first] = unread;
  if (first === undefined) return null;
  return {
    code: 'body-too-large',
    text: `${counted(unread.length, 'response')} could not be read: ${first.message}`,
    hint: 'Set http.maxBodyBytes in the target file above the size of these responses, and run again.',
    plans: null,
    ...(!exchanges.some(isUnreadOfLoad) && { reasons: UNREAD }),
  };
}
