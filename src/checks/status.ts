import type { RequirementId } from '../contract/types.js';
import type { Exchange } from '../exchange/types.js';
import { blocked, kept, violated, type Judgement } from '../findings/finding.js';
import { statusBreak } from './layers.js';
import { prerequisite } from './pets.js';

/** The answer has the status that its row names; a break that is charged to another row leaves this one unestablished. */
export function answers(row: RequirementId, exchange: Exchange): Judgement {
  const broken = statusBreak(exchange);
  if (!broken) return kept([exchange]);
  if (broken.charged !== row) return prerequisite(broken, exchange);
  return violated([exchange], `“${exchange.probe}” was answered ${broken.actual}`, {
    expected: broken.expected,
    actual: broken.actual,
  });
}

/**
 * A control has succeeded: a request that differs in nothing but the offending part. Any success will do, for whether
 * it has the right status is another row's affair.
 */
export const succeeded = ({ answer }: Exchange): boolean =>
  answer.kind === 'response' && answer.status >= 200 && answer.status < 300;

/** A refusal counts only for its own reason: without a control that succeeded it proves nothing (rule 1 of the ledger). */
export function refused(row: RequirementId, exchange: Exchange, control: Exchange): Judgement {
  if (succeeded(control)) return answers(row, exchange);
  return blocked(
    statusBreak(control)?.charged ?? null,
    `“${control.probe}” did not succeed either, so that a refusal of “${exchange.probe}” proves nothing`,
    [control, exchange],
  );
}
