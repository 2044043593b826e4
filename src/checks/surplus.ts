import type { SurplusAfter } from '../exchange/sender.js';
import type { Finding } from '../findings/finding.js';

/** Where it says how long an answer is. */
const EXPECTED = 'nothing after an answer’s end until the next request (RFC 9112, 6.3)';

/**
 * What is said of a server that sends more than its answers: whoever uses a connection twice takes it for the answer to the
 * next request. A body is as long as its message says (RFC 9112, 6.3), which the interface does not repeat: it warns.
 */
export const surplusFinding = ({ id, probe }: SurplusAfter): Finding => ({
  kind: 'violated',
  warns: true,
  requirement: 'json-media-type',
  message: `bytes that belong to no answer came after the one to “${probe}”: a client that uses a connection again takes them for its next answer. From then on every request went over a connection of its own, so that no other row was judged by them`,
  expected: EXPECTED,
  actual: 'more bytes',
  exchanges: [id],
});

/** Whether a finding says so. */
export const isSurplus = (finding: Finding): boolean => finding.kind === 'violated' && finding.expected === EXPECTED;
