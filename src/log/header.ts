import { loadContract } from '../base/interface/contract.js';
import { loadLedger } from '../base/interface/ledger.js';
import type { RequirementId } from '../base/interface/types.js';
import type { Target } from '../wire/targets/target.js';
import { LOG_SCHEMA_VERSION } from './header-record.js';
import type { LogHeader, LogRecord } from './record.js';
import { plansWithKey } from '../wire/targets/keys.js';
import { kit } from '../base/kernel/package.js';

export interface HeaderRequest
  extends
    Pick<LogHeader, 'run' | 'acceptance' | 'label' | 'subject' | 'ci' | 'own' | 'retries' | 'command'>,
    Pick<LogHeader['scope'], 'selection' | 'selected' | 'writes' | 'asOf' | 'includes' | 'sides'> {
  readonly target: Target;
}

export const isSelected = ({ selected }: Pick<LogHeader['scope'], 'selected'>, id: RequirementId): boolean =>
  selected?.includes(id) ?? true;

/** How a run ended: the reason why its log is not complete, null for none, and what goes with it. */
export type End = Pick<Footer, 'reason' | 'aborted' | 'obstacle' | 'fault'>;
type Footer = Extract<LogRecord, { type: 'footer' }>;

/** Starts of the runs of this process by their ids: Unix ms, and the monotonic clock, ms. */
const starts = new Map<string, { readonly startedAt: number; readonly at: number }>();

/**
 * Returns now by the monotonic clock since the start of a run: a clock that is set meanwhile changes no
 * duration.
 */
function endOfRun(run: string): Date {
  const { startedAt, at } = starts.get(run) ?? { startedAt: Date.now(), at: performance.now() };
  starts.delete(run);
  return new Date(startedAt + (performance.now() - at));
}

/**
 * Returns the last record of the log of a run that ends now.
 *
 * @param run id of the run, whose header this process wrote
 */
export const footerOf = (end: End, run: string): Footer => ({
  type: 'footer',
  complete: end.reason === null,
  finishedAt: endOfRun(run).toISOString(),
  ...end,
});

export function headerOf(request: HeaderRequest): LogHeader {
  const {
    run,
    target,
    selection,
    selected,
    writes,
    asOf,
    includes,
    acceptance,
    own,
    retries,
    command,
    sides,
  } = request;
  const { label, subject, ci } = request;
  const contract = loadContract();
  const plans = plansWithKey(target);
  const startedAt = Date.now();
  starts.set(run, { startedAt, at: performance.now() });
  return {
    type: 'header',
    schemaVersion: LOG_SCHEMA_VERSION,
    run,
    kit: kit(),
    interface: { version: contract.interfaceVersion, removalDate: contract.removalDate },
    contract: contract.hash,
    ledger: loadLedger().hash,
    target: {
      name: target.name,
      baseUrl: target.baseUrl,
      windows: target.windows,
      production: target.production,
      exclusive: target.exclusive,
      keyPlaces: target.keyPlaces ?? {},
      figures: Object.fromEntries(
        plans.flatMap((name) => (target.plans[name] ? [[name, target.plans[name]]] : [])),
      ),
    },
    scope: {
      plans,
      suiteKey: target.suiteKey,
      selection,
      selected,
      writes,
      asOf,
      includes,
      ...(sides && { sides }),
    },
    ...(acceptance && { acceptance }),
    startedAt: new Date(startedAt).toISOString(),
    ...(label !== undefined && { label }),
    ...(subject && subject.length > 0 && { subject }),
    ...(ci && { ci }),
    ...(own && { own: { rows: own.rows, hash: own.hash, decide: own.decide } }),
    ...(retries && { retries }),
    command,
  };
}
