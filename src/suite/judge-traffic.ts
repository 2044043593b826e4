import type { Finding } from '../findings/finding.js';
import { isOfService, judgeUndated, rateFactsOf, sampleOf } from '../checks/rate-headers.js';
import { areUnstable, softened } from '../checks/passive.js';
import type { Contract } from '../contract/contract.js';
import type { OperationName, Requirement, RequirementId } from '../contract/types.js';
import { answerHeader } from '../exchange/headers.js';
import type { Exchange } from '../exchange/types.js';
import type { Sample } from '../limits/sample.js';
import { judgeTraffic } from '../experiments/traffic.js';
import { planOf, type Target } from '../targets/target.js';
import { planNames } from '../contract/names.js';

/** Whether what the suites send shows a row that load judges. */
export const isShownByTraffic = ({ judgedBy }: Requirement): boolean =>
  judgedBy.kind === 'load' && judgedBy.traffic === true;

/** Inputs for judging the suites' traffic. */
export interface TrafficOptions {
  readonly target: Target;
  /** The ledger's rows, and the ids that a selection leaves; null when nothing was selected away. */
  readonly rows: readonly Requirement[];
  readonly selected: readonly RequirementId[] | null;
  /** Says which operations are marked as unstable. */
  readonly contract: Pick<Contract, 'markers'>;
  /** The rows that load has found broken. */
  readonly charged: ReadonlySet<RequirementId>;
  /** Load was not selected, and nothing but this traffic tells. */
  readonly isAlone: boolean;
}

/**
 * What the exchanges of preflight and suites say of the rows that load judges besides (`traffic` in the ledger). Nothing is
 * sent for it, and nothing said of what they leave open.
 */
export function trafficFindings(
  exchanges: readonly Exchange[],
  { target, rows, selected, contract, charged, isAlone }: TrafficOptions,
): readonly Finding[] {
  const { suiteKey: key, exclusive, windows } = target;
  const figures = rateFactsOf({ plan: planOf(target, key), windows });
  const ids = new Map<Sample, string>();
  const requests = exchanges
    .toSorted((one, other) => one.sentAt - other.sentAt)
    .flatMap((exchange) => {
      const own = ownAnswer(exchange, key) ?? unread(exchange);
      ids.set(own, exchange.id);
      // What went out a second time may have been counted twice.
      return [...Array.from({ length: exchange.attempts - 1 }, () => unread(exchange)), own];
    });
  const isSelected = (row: RequirementId): boolean => selected?.includes(row) ?? true;
  const inScope = new Map(
    rows
      .filter(({ id, judgedBy }) => judgedBy.kind === 'load' && judgedBy.traffic && isSelected(id))
      .map((row) => [row.id, row]),
  );
  const ofNumbers = isSelected(NUMBERS_ROW)
    ? [...judgeUndated(exchanges, figures), ...untriedNumbers(exchanges, target, isAlone)]
    : [];
  const ofTraffic = judgeTraffic({ key, figures, exclusive, requests }, charged).flatMap(({ finding, answers }) => {
    const row = inScope.get(finding.requirement);
    if (row === undefined) return [];
    const named = { ...finding, exchanges: answers.flatMap((sample) => ids.get(sample) ?? []) };
    const partly: readonly Finding[] =
      isAlone && finding.kind === 'kept' ? [{ kind: 'untried', requirement: row.id, what: WITHOUT_LOAD }] : [];
    return [areUnstable(row.operations, contract) ? softened(named) : named, ...partly];
  });
  return [...ofTraffic, ...ofNumbers];
}

const NUMBERS_ROW: RequirementId = 'rate-headers-wellformed';

/** From here on numbers are written with separators, where they are. */
const LARGE = 1000;

/** Whether any figure of the keys, or any answer, was so large that a separator would have shown. */
function untriedNumbers(exchanges: readonly Exchange[], target: Target, isAlone: boolean): readonly Finding[] {
  const keys = isAlone ? [target.suiteKey] : planNames.filter((plan) => target.keys[plan] !== undefined);
  const isLarge = keys.some((key) => planOf(target, key).perMinute >= LARGE);
  const isSeen = exchanges.some((exchange) => Number(answerHeader(exchange, 'x-ratelimit-limit')) >= LARGE);
  return isLarge || isSeen
    ? []
    : [
        {
          kind: 'untried',
          requirement: NUMBERS_ROW,
          what: `figures of ${LARGE.toLocaleString('en-GB')} and more (no plan that was tested has as many a minute)`,
        },
      ];
}

const WITHOUT_LOAD = 'what the suites did not send: other plans, and all of the allowance (load was not selected)';

/** The sample of an answer that speaks of the key's plan; null where the request may have been counted or not. */
const ownAnswer = (exchange: Exchange, key: string): Sample | null =>
  exchange.credential.kind === 'valid' && exchange.credential.plan === key && isOfService(exchange)
    ? sampleOf(exchange)
    : null;

/** A request that may have been counted, of which no answer tells. */
const unread = ({ operation, sentAt, latencyMs }: Exchange): Sample => ({
  intendedAt: sentAt,
  sentAt,
  answeredAt: sentAt + latencyMs,
  operation: operation ?? ('listPets' satisfies OperationName),
  status: 0,
  limit: null,
  remaining: null,
  reset: null,
  retryAfter: null,
  date: null,
});
