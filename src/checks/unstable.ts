import type { Contract } from '../contract/contract.js';
import type { OperationName } from '../contract/types.js';
import type { Finding } from '../findings/finding.js';

/** Part 9: whether all of some operations are marked experimental or beta, so that what they speak of may still change. */
export const areUnstable = (operations: readonly OperationName[], { markers }: Pick<Contract, 'markers'>): boolean =>
  operations.length > 0 && operations.every((operation) => markers[operation] !== undefined);

/** A finding about what may still change: a failure only warns. */
export const softened = (finding: Finding): Finding =>
  finding.kind === 'violated' ? { ...finding, warns: true } : finding;
