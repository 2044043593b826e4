import { pathsOf } from '../../drive/explore/replay-paths.js';
import { OF_A_GATEWAY } from '../../wire/exchange/gateway.js';
import { dayOf } from '../../base/kernel/day.js';
import { loadContract } from '../../base/interface/contract.js';
import type { RequirementId } from '../../base/interface/types.js';
import { unestablished, type Finding, type Judgement } from '../../judge/findings/finding.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { Retry } from '../../log/header-record.js';
import type { RunLog } from '../../log/run-log.js';
import type { RequirementResult } from './requirement-shape.js';
import type { Results } from './results-shape.js';
import type { ProfileName } from '../../base/interface/names.js';

/** Opt-in profiles. They are not repeated for rows that every response can violate. */
const OPT_IN: ReadonlySet<ProfileName> = new Set(['ban', 'day-quota']);

/**
 * Returns the evidence of a row's failure in an earlier run, from its results and log. Pure.
 *
 * @param profiles that judge the row under load; null for a row that any response can violate
 * @param log null where unreadable
 */
export function retryOf(
  { id, findings }: RequirementResult,
  profiles: readonly ProfileName[] | null,
  { exchanges, load, startedAt }: Pick<Results, 'exchanges' | 'load' | 'startedAt'>,
  log: Pick<RunLog, 'askedBy'> | null,
): Retry {
  const named = new Set(findings.flatMap((finding) => (finding.story ? [] : finding.exchanges)));
  const sent = exchanges.filter((exchange) => named.has(exchange.id));
  const isUnderLoad = findings.some((finding) => !finding.story && finding.exchanges.length === 0);
  const ran = isUnderLoad
    ? load.filter(({ profile }) => profiles?.includes(profile) ?? !OPT_IN.has(profile))
    : [];
  return {
    requirement: id,
    since: startedAt,
    requests: [
      ...new Map(sent.map((exchange) => [kindOfRequest(exchange), log?.askedBy.get(exchange.id) ?? null])),
    ],
    profiles: unique(ran.map(({ profile }) => profile)),
    keys: unique(ran.map(({ plan }) => plan)),
    stories: unique(findings.flatMap(({ story }) => story?.replay ?? [])),
  };
}

/**
 * Returns a description of a request that is the same in two runs with different animals. Leaves out ids and
 * page sizes that depend on the store; keeps what the request was to show.
 */
export function kindOfRequest({ probe, intent }: Pick<Exchange, 'probe' | 'intent'>): string {
  const name = probe
    // A piece of a key in an id is redacted.
    .replace(/^(GET \/pets\/)-?(?:\d|\[key\])+/, '$1{id}')
    // The order of parameters does not matter.
    .replace(/\?(\S+)/, (_, query: string) => `?${query.split('&').sort().join('&')}`);
  switch (intent.kind) {
    case 'expects':
      return `${name} (${intent.chargedTo})`;
    case 'open':
      return `${probe} (${intent.row})`;
    case 'declared':
      return name.replace(/\blimit=((?:\d|\[key\])+)/, (limit, amount: string) =>
        Object.values(loadContract().pageSize).map(String).includes(amount) ? limit : 'limit={n}',
      );
  }
}

/** Returns a row's findings, with one that prevents passing where earlier evidence was not repeated. Pure. */
export function withRetry(findings: readonly Finding[], id: RequirementId, log: RunLog): readonly Finding[] {
  const retry = log.header.retries?.rows.find(({ requirement }) => requirement === id);
  if (!retry || log.footer?.obstacle) return findings;
  if (findings.some(({ kind }) => kind === 'violated' || kind === 'fault')) return findings;
  const missing = notRepeated(retry, log);
  const isJudged = findings.some(
    ({ kind }) => kind === 'kept' || kind === 'observed' || kind === 'inconclusive',
  );
  if (missing.length === 0 && isJudged) return findings;
  return [...findings, { ...notRetried(retry, missing), requirement: id }];
}

function notRetried({ since }: Retry, [first, ...others]: readonly string[]): Judgement {
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const what =
    first === undefined ? 'no part of this run judged it' : `this run did not repeat ${first}${more}`;
  return unestablished('not-retried', `not retried: it failed on ${dayOf(since)}, and ${what}`);
}

/** Returns evidence that was not sent again, or got no response, worded to follow “did not repeat”. */
function notRepeated(retry: Retry, { exchanges, profiles, explored, findings }: RunLog): readonly string[] {
  const sent = new Set(exchanges.filter(isJudgeable).map(kindOfRequest));
  const loaded = new Set(profiles.map(({ plan }) => plan));
  const isRepeated = retry.requests.some(([kind]) => sent.has(kind));
  // Some requests are only needed after a wrong response, so a completed test may skip them.
  const isDone = (test: RequirementId | null): boolean => {
    const own = findings.filter(({ requirement }) => requirement === test);
    return own.length > 0 && own.every(({ kind }) => GOOD.has(kind) || (kind === 'untried' && isRepeated));
  };
  // A story of only a seed is how every exploring begins.
  const wasReplayed = ([seed, ...path]: readonly string[]): boolean =>
    explored !== null &&
    String(explored.seed) === seed &&
    (path.length === 0 ||
      pathsOf(path.join(':')).every((each) => explored.replayed?.includes(each) ?? false));
  return [
    ...retry.requests.flatMap(([kind, test]) => (sent.has(kind) || isDone(test) ? [] : [`“${kind}”`])),
    ...retry.keys.filter((key) => !loaded.has(key)).map((key) => `the load with the ${key} key`),
    ...retry.stories.filter((story) => !wasReplayed(story.split(':'))).map((story) => `the story ${story}`),
  ];
}

/** Kinds of findings of a completed test. */
const GOOD: ReadonlySet<Finding['kind']> = new Set(['kept', 'observed']);

/** Returns whether a response says something about the request: no rate-limit refusal, no absent server. */
const isJudgeable = ({ answer }: Exchange): boolean =>
  answer.kind === 'response' && answer.status !== 429 && !OF_A_GATEWAY.includes(answer.status);

const unique = <Value>(values: readonly Value[]): readonly Value[] => [...new Set(values)];
