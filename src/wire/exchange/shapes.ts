import { list, oneOf, text } from '../../base/kernel/shape.js';
import { keyNames, operationNames, planNames } from '../../base/interface/names.js';
import type { RequirementId } from '../../base/interface/types.js';
import { ofNumbers, quoted, redacted } from './redaction.js';

/** A kept body, with what redaction may have added. */
export const long = text(1_000_000);
export const longs = list(long);
/** Words of the target, or ones into which a user may type a key by mistake. */
export const redactedText = redacted(long);
export const quote = redacted(long, quoted);
export const sent = redacted(long, ofNumbers);
export const plan = oneOf(planNames);
export const key = oneOf(keyNames);
export const operation = oneOf(operationNames);
export const requirement = text<RequirementId>();
export const requirements = list(requirement);
export const ids = list(text());
