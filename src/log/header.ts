import { loadContract } from '../base/interface/contract.js';
import { loadLedger } from '../base/interface/ledger.js';
import type { RequirementId } from '../base/interface/types.js';
import type { Target } from '../wire/targets/target.js';
import { LOG_SCHEMA_VERSION } from './header-record.js';
import type { LogHeader, LogRecord } from './record.js';
import { plansWithKey } from '../wire/targets/keys.js';
import { kit } from '../base/kernel/package.js';

/** Request for a run, as its log records it. */
export interface HeaderRequest
  extends
    Pick<LogHeader, 'run' | 'acceptance' | 'label' | 'subject' | 'ci' | 'own' | 'retries' | 'command'>,
    Pick<LogHeader['scope'], 'selection' | 'selected' | 'writes' | 'asOf' | 'includes' | 'sides'> {
  readonly target: Target;
}

/** Returns whether a run judges a row, by its selection. */
export const isSelected = ({ selected }: Pick<LogHeader['scope'], 'selected'>, id: RequirementId): boolean =>
  selected?.includes(id) ?? true;

/** How a run ended: the reason why its log is not complete, null for none, and what goes with it. */
export type End = Pick<Footer, 'reason' | 'aborted' | 'obstacle' | 'fault'>;
type Footer = Extract<LogRecord, { type: 'footer' }>;

/** Returns the last record of the log of a run that ends now. */
export const footerOf = (end: End): Footer => ({
  type: 'footer',
  complete: end.reason === null,
  finishedAt: new Date().toISOString(),
  ...end,
});

/** Returns the first record of a run's log. */
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
    startedAt: new Date().toISOString(),
    ...(label !== undefined && { label }),
    ...(subject && subject.length > 0 && { subject }),
    ...(ci && { ci }),
    ...(own && { own: { rows: own.rows, hash: own.hash, decide: own.decide } }),
    ...(retries && { retries }),
    command,
  };
}
