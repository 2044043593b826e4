import { sum, sumAll } from '../../base/kernel/format.js';
import { dayOf } from '../../base/kernel/day.js';
import { capacityByKey, capacityOf, capacityVerdict } from '../../loadkit/results.js';
import type { Finding } from '../../judge/findings/finding.js';
import type { Requirement, RequirementId } from '../../base/interface/types.js';
import { isSelected } from '../../log/header.js';
import type { Side } from '../../log/header-record.js';
import type { LogHeader } from '../../log/record.js';
import { isOwn } from '../../log/own-exchange.js';
import { isOfOthers, type Explored, type RunLog } from '../../log/run-log.js';
import type { ProfileName } from '../../base/interface/names.js';
import { hiddenNames } from '../../wire/exchange/secrets.js';
import { judgeBaseline } from './judge-baseline.js';
import { whereCut, withBlocked } from './blocked.js';
import { exchangesById, requirementResult } from './requirement-result.js';
import { waitedOutWords } from './waited-out.js';
import type { ExploredResults, OwnResults, SideResults, TrafficResults } from './part-shapes.js';
import type { RequirementResult } from './requirement-shape.js';
import type { Results } from './results-shape.js';
import { CLIENT_LEFT, RECORD_ENDED, spanOf } from '../../wire/exchange/client-exchange.js';
import { trafficVerdict, verdictOf, WORST_FIRST, type Outcome, type Verdict } from '../../judge/verdict.js';
import { runCauseOf, withRunCause } from './run-cause.js';

export type { OwnResults } from './part-shapes.js';
export type { RequirementResult, ResultFinding } from './requirement-shape.js';
export type { Results } from './results-shape.js';

/**
 * Computes results.json from a log. Pure: the same log and ledger give the same results.
 *
 * @param rows the ledger's rows, in the order of the interface
 */
export function resultsOf(log: RunLog, rows: readonly Requirement[]): Results {
  const results = judgedOf(log, rows);
  const entries = log.header.acceptance?.accepted;
  if (entries === undefined || results.obstacle) return results;
  const today = dayOf(results.finishedAt);
  const { accepted, ...baseline } = judgeBaseline(results, entries, today);
  if (accepted.length === 0) return { ...results, baseline };
  const until = new Map(accepted.map(({ requirement, expires }) => [requirement, expires]));
  const requirements = results.requirements.map((row) => {
    const acceptedUntil = until.get(row.id);
    return acceptedUntil === undefined ? row : { ...row, acceptedUntil };
  });
  return { ...results, requirements, accepted, baseline };
}

function judgedOf(log: RunLog, rows: readonly Requirement[]): Results {
  const { header, footer } = log;
  const { plans, selection, writes, asOf } = header.scope;
  const complete = footer?.complete ?? false;
  const end = { complete, fault: footer?.fault !== undefined };
  const last = log.exchanges.at(-1);
  const lastMoment = last ? new Date(last.sentAt + last.latencyMs).toISOString() : header.startedAt;
  const finishedAt = footer?.finishedAt ?? lastMoment;
  const ownRows = header.own?.rows ?? [];
  const durations = durationsOf(log, [...rows, ...ownRows], finishedAt);
  const exchanges = exchangesById(log);
  const rowsJudged = withBlocked(
    rows.map((row) => ({ ...requirementResult(row, log, exchanges), ...durations.get(row.id) })),
    log,
  );
  const judged = complete ? rowsJudged : rowsJudged.map(whereCut);
  const found = runCauseOf(log, judged, rows);
  const requirements = withRunCause(judged, found);
  const judge: typeof trafficVerdict = isOfOthers(log)
    ? trafficVerdict
    : (...given) => ({ verdict: verdictOf(...given), clean: false });
  const { verdict: withoutThem, clean } = judge(requirements, end);
  const own = header.own ? ownResults(header.own, log, durations, withoutThem) : null;
  const onRows = own?.decide ? verdictOf([...requirements, ...own.requirements], end) : withoutThem;
  const named = new Set(
    [...requirements, ...(own?.requirements ?? [])].flatMap((row) => [
      ...row.findings.flatMap(({ exchanges, story }) => [...exchanges, ...(story?.exchanges ?? [])]),
      ...(row.observed ?? []).flatMap(({ exchanges }) => exchanges),
    ]),
  );
  const sides = header.scope.sides?.map((side) => sideOf(side, requirements, rows, (own) => judge(own, end)));
  const remarks = [...log.remarks, ...waitedOutWords(log)];
  const capacity = log.capacity === null ? null : capacityOf(log.capacity, footer);
  return {
    schemaVersion: 1,
    verdict:
      capacity === null || onRows === 'error' ? onRows : worse(onRows, capacityVerdict(capacity, complete)),
    ...(clean && { clean }),
    kit: header.kit,
    interface: { version: header.interface.version },
    target: { name: header.target.name, baseUrl: header.target.baseUrl, windows: header.target.windows },
    // A load run uses only the keys of its scenario.
    scope: { plans: log.capacity?.scenario.keys ?? plans, selection, writes, asOf },
    ...(header.label !== undefined && { label: header.label }),
    ...(header.ci && { ci: header.ci }),
    ...(header.subject && { subject: header.subject }),
    startedAt: header.startedAt,
    finishedAt,
    durationMs: Math.max(0, Date.parse(finishedAt) - Date.parse(header.startedAt)),
    ...(isFarOff(log.preflight?.clockSkewMs) && { clockOffMs: Math.round(log.preflight?.clockSkewMs ?? 0) }),
    ...(remarks.length > 0 && { remarks }),
    complete,
    ...(footer?.fault !== undefined && { fault: footer.fault }),
    ...(footer?.obstacle && {
      obstacle: { code: footer.obstacle.code, message: footer.obstacle.message, hint: footer.obstacle.hint },
    }),
    ...(found && { cause: found.cause }),
    counts: countOutcomes(requirements),
    requests: countRequests(log),
    requirements,
    ...(sides && { sides, traffic: trafficOf(log) }),
    exchanges: log.exchanges.filter((exchange) => named.has(exchange.id)),
    load: log.profiles,
    ...(own && { own }),
    ...(log.explored && { explored: exploredOf(log.explored, log.findings) }),
    ...(capacity && { capacity }),
  };
}

/** Clock skew beyond which certificates, tokens and logs of a target are wrong too, ms. */
const MOST_SKEW_MS = 60_000;

const isFarOff = (skewMs: number | null | undefined): boolean =>
  skewMs !== null && skewMs !== undefined && Math.abs(skewMs) > MOST_SKEW_MS;

function sideOf(
  side: Side,
  results: readonly RequirementResult[],
  rows: readonly Requirement[],
  judge: (own: readonly RequirementResult[]) => ReturnType<typeof trafficVerdict>,
): SideResults {
  const ids = new Set(
    rows.flatMap(({ id, judgedBy }) => ((judgedBy.kind === 'client') === (side === 'client') ? id : [])),
  );
  const own = results.filter(({ id }) => ids.has(id));
  const { verdict, clean } = judge(own);
  return {
    side,
    verdict,
    ...(clean && { clean }),
    counts: countOutcomes(own),
    requirements: own.map(({ id }) => id),
  };
}

/** Reasons for no response that say nothing about the service. */
const NOT_OF_SERVER: readonly string[] = [CLIENT_LEFT, RECORD_ENDED];

function trafficOf({ traffic }: RunLog): TrafficResults {
  const inScope = sum(traffic, ({ exchanges }) => exchanges.length);
  const leftOut: Record<string, number> = {};
  for (const each of traffic)
    for (const [reason, entries] of Object.entries(each.leftOut?.reasons ?? {}))
      leftOut[reason] = (leftOut[reason] ?? 0) + entries;
  const proxied = traffic.flatMap(({ source, exchanges }) => (source === 'proxy' ? exchanges : []));
  const unanswered = proxied.filter(
    ({ answer }) => answer.kind === 'none' && !NOT_OF_SERVER.includes(answer.why),
  );
  const cutShort = proxied.filter(({ answer }) => answer.kind === 'response' && answer.body.kind === 'cut');
  const masked = hiddenNames(traffic.flatMap(({ exchanges }) => exchanges));
  const spans = traffic.flatMap(({ exchanges }) => exchanges.flatMap(({ times }) => spanOf(times) ?? []));
  const [from, to] = spans.reduce(
    ([least, most], span) => [Math.min(least, span.from), Math.max(most, span.to)],
    [Infinity, 0],
  );
  return {
    entries: inScope + sumAll(Object.values(leftOut)),
    inScope,
    ...(spans.length > 0 && { from: new Date(from).toISOString(), to: new Date(to).toISOString() }),
    ...(unanswered.length > 0 && { unanswered: unanswered.length }),
    ...(cutShort.length > 0 && { cutShort: cutShort.length }),
    leftOut,
    ...(masked.length > 0 && { masked }),
  };
}

function ownResults(
  { rows, decide }: NonNullable<LogHeader['own']>,
  log: RunLog,
  durations: ReturnType<typeof durationsOf>,
  withoutThem: Verdict,
): OwnResults {
  const requirements = rows.map((row) => ({ ...requirementResult(row, log), ...durations.get(row.id) }));
  const { ownProblems: problems } = log;
  return {
    decide,
    verdict: verdictOf(requirements, {
      complete: (log.footer?.complete ?? false) && problems.length === 0,
      fault: log.footer?.fault !== undefined,
    }),
    withoutThem,
    counts: countOutcomes(requirements),
    requests: sum(log.exchanges.filter(isOwn), ({ attempts }) => attempts),
    requirements,
    problems,
  };
}

const exploredOf = (
  { seed, asked, requests, classes, residents, stopped }: Explored,
  findings: readonly Finding[],
): ExploredResults => ({
  seed,
  asked,
  requests: sumAll(Object.values(requests)),
  stories: findings.flatMap((finding) =>
    finding.kind === 'violated' && finding.story
      ? [{ requirement: finding.requirement, message: finding.message, ...finding.story }]
      : [],
  ),
  classes,
  ...(residents && { residents }),
  ...(stopped && { stopped }),
});

const worse = (one: Verdict, other: Verdict): Verdict =>
  (['error', 'non-conformant', 'inconclusive'] as const).find(
    (verdict) => verdict === one || verdict === other,
  ) ?? 'conformant';

function countOutcomes(requirements: readonly RequirementResult[]): Record<Outcome, number> {
  const counts = Object.fromEntries(WORST_FIRST.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  for (const { outcome } of requirements) counts[outcome] += 1;
  return counts;
}

/** Counts all requests by the plan of their key: suites with retries, and load. */
function countRequests(log: RunLog): Results['requests'] {
  const byKey: Record<string, number> = { anonymous: 0 };
  const count = (key: string, amount: number) => (byKey[key] = (byKey[key] ?? 0) + amount);
  for (const { id, credential, attempts } of log.exchanges)
    // Load runs and exploring record only the responses that findings name; their phases count all.
    if (!/^[ce]/.test(id)) count(credential.kind === 'valid' ? credential.plan : 'anonymous', attempts);
  for (const [key, sent] of Object.entries(log.explored?.requests ?? {})) count(key, sent);
  for (const { plan, sent } of log.profiles) count(plan, sent);
  if (log.capacity) for (const [key, sent] of Object.entries(capacityByKey(log.capacity))) count(key, sent);
  return { total: sumAll(Object.values(byKey)), byKey };
}

/**
 * Returns each row's share of the run's duration, whole ms. An exchange counts from the previous response to
 * its own, waits included, for the row that requested it first. A load profile counts for its first row. Time
 * after the last one belongs to it, so the sum is the run's duration.
 */
export function durationsOf(
  { header, exchanges, askedBy, profiles }: RunLog,
  rows: readonly Requirement[],
  finishedAt: string,
): ReadonlyMap<RequirementId, { readonly durationMs: number }> {
  const selected = rows.filter(({ id }) => isSelected(header.scope, id));
  const firstOf = (profile: ProfileName): RequirementId | undefined =>
    selected.find(({ judgedBy }) => judgedBy.kind === 'load' && judgedBy.profiles.includes(profile))?.id;
  const pieces = [
    ...exchanges.map(({ id, sentAt, latencyMs }) => ({ end: sentAt + latencyMs, row: askedBy.get(id) })),
    ...profiles.map(({ profile, finishedAt: end }) => ({ end, row: firstOf(profile) })),
  ]
    .flatMap(({ end, row }) => (row === undefined ? [] : [{ end, row }]))
    .toSorted((one, other) => one.end - other.end);
  const finish = Date.parse(finishedAt);
  const spent = new Map<RequirementId, number>();
  let last = Date.parse(header.startedAt);
  for (const [at, { end, row }] of pieces.entries()) {
    // The exchanges' clock may differ slightly from the calendar's.
    const until = at === pieces.length - 1 ? finish : Math.min(Math.round(end), finish);
    spent.set(row, (spent.get(row) ?? 0) + Math.max(0, until - last));
    last = Math.max(last, until);
  }
  return new Map([...spent].filter(([, ms]) => ms > 0).map(([row, durationMs]) => [row, { durationMs }]));
}
