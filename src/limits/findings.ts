import type { Finding } from '../checks/finding.js';

/** The statement was broken. */
export const isViolated = (finding: Finding): boolean => finding.kind === 'violated';
