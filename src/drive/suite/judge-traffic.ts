import { about, allAbout, untried, type Finding } from '../../judge/findings/finding.js';
import { inSeries, judgeTogether, unread } from '../../judge/checks/rate-headers.js';
import { ownAllowance } from '../../judge/checks/scheme-allowance.js';
import { softenedFor } from '../../judge/checks/passive.js';
import { loadLedger } from '../../base/interface/ledger.js';
import { isWithKey, rateHeader } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { Sample } from '../../judge/limits/sample.js';
import { isSelected, type HeaderRequest } from '../../log/header.js';
import type { Journal } from '../../log/journal.js';
import { judgeTraffic } from '../../judge/limits/traffic.js';
import { planOf, type Target } from '../../wire/targets/target.js';
import { plansWithKey } from '../../wire/targets/keys.js';
import { judging } from '../../judge/checks/judging.js';
import { figuresOf } from '../load/figures.js';
import { isShownByTraffic, NUMBERS_ROW, SCHEME_ROW } from './traffic-rows.js';

/**
 * Judges rows of load by the exchanges of preflight and suites (`traffic` in the ledger): violations and gaps
 * only.
 */
export function judgeSuitesTraffic(
  exchanges: readonly Exchange[],
  request: Pick<HeaderRequest, 'target' | 'selected' | 'selection'>,
  journal: Journal,
): void {
  const { target, selection } = request;
  const { suiteKey: key, exclusive } = target;
  // Load is not selected, so only this traffic counts.
  const isAlone = selection?.only === 'suites';
  const figures = figuresOf(target, key);
  const ids = new Map<Sample, string>();
  const ordered = exchanges.toSorted((one, other) => one.sentAt - other.sentAt);
  const requests = ordered.flatMap((exchange) => {
    const own = isWithKey(exchange, key) ? inSeries(exchange) : unread(exchange);
    ids.set(own, exchange.id);
    // A resent request may have been counted twice.
    return [...Array.from({ length: exchange.attempts - 1 }, () => unread(exchange)), own];
  });
  const inScope = new Map(
    loadLedger()
      .requirements.filter((row) => isShownByTraffic(row) && isSelected(request, row.id))
      .map((row) => [row.id, row]),
  );
  const ofNumbers = isSelected(request, NUMBERS_ROW)
    ? [...judgeTogether(exchanges, figures), ...untriedNumbers(exchanges, target, isAlone)]
    : [];
  const ofTraffic = judgeTraffic({ key, figures, exclusive, requests }).flatMap(({ finding, answers }) => {
    const row = inScope.get(finding.requirement);
    if (row === undefined) return [];
    const named = {
      ...finding,
      ...(finding.kind === 'violated' && { plan: key }),
      exchanges: answers.flatMap((sample) => ids.get(sample) ?? []),
    };
    const partly = isAlone && finding.kind === 'kept' ? [about(row.id, untried(WITHOUT_LOAD))] : [];
    return [softenedFor(row.operations, judging().contract)(named), ...partly];
  });
  const ofScheme = isSelected(request, SCHEME_ROW) ? allAbout(SCHEME_ROW, ownAllowance(ordered)) : [];
  for (const finding of [...ofTraffic, ...ofNumbers, ...ofScheme])
    journal.append({ type: 'finding', finding });
}

/** Smallest number with a thousands separator, if a server writes one. */
const LARGE = 1000;

/** Reports that no figure of the keys and no response was large enough for a separator. */
function untriedNumbers(
  exchanges: readonly Exchange[],
  target: Target,
  isAlone: boolean,
): readonly Finding[] {
  const keys = isAlone ? [target.suiteKey] : plansWithKey(target);
  const isLarge = keys.some((key) => planOf(target, key).perMinute >= LARGE);
  const isSeen = exchanges.some((exchange) => Number(rateHeader(exchange, 'limit')) >= LARGE);
  if (isLarge || isSeen) return [];
  const what = `figures of ${LARGE.toLocaleString('en-GB')} and more (no tested plan has as many a minute)`;
  return [about(NUMBERS_ROW, untried(what))];
}

const WITHOUT_LOAD = 'other plans and a fully used limit (load was not selected)';
