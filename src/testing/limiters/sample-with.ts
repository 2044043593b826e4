import type { Sample } from '../../judge/limits/sample.js';

const AT = 1_800_000_000_000;

/** Returns a plain sample of a Free key with some members replaced. */
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
