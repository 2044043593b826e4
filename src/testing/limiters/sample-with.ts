import type { Sample } from '../../limits/sample.js';

const AT = 1_800_000_000_000;

/** A plain answer of a Free key, but for what is named. */
export const sampleWith = (different: Partial<Sample>): Sample => ({
  intendedAt: different.sentAt ?? AT,
  sentAt: AT,
  answeredAt: AT + 5,
  operation: 'listPets',
  status: 200,
  limit: 60,
  remaining: 59,
  reset: AT / 1000 + 60,
  retryAfter: null,
  date: AT,
  ...different,
});
