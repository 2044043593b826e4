import { loadContract } from '../base/interface/contract.js';
import { loadLedger } from '../base/interface/ledger.js';
import type { Target } from '../wire/targets/target.js';
import { LOG_SCHEMA_VERSION, type LogHeader } from './record.js';
import { planNames } from '../base/interface/names.js';
import { kit } from '../base/kernel/package.js';

/** Request for a run, as its log records it. */
export interface HeaderRequest
  extends
    Pick<LogHeader, 'run' | 'acceptance' | 'label' | 'subject' | 'ci' | 'own' | 'retries' | 'command'>,
    Pick<LogHeader['scope'], 'selection' | 'selected' | 'writes' | 'asOf' | 'includes' | 'sides'> {
  readonly target: Target;
}

/** Returns the first record of a run's log. */
export function headerOf(request: HeaderRequest): LogHeader {
  const { run, target, selection, selected, writes, asOf, includes, acceptance, own, retries, command, sides } =
    request;
  const { label, subject, ci } = request;
  const contract = loadContract();
  const plans = planNames.filter((name) => target.keys[name]);
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
      figures: Object.fromEntries(plans.flatMap((name) => (target.plans[name] ? [[name, target.plans[name]]] : []))),
    },
    scope: { plans, suiteKey: target.suiteKey, selection, selected, writes, asOf, includes, ...(sides && { sides }) },
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
