import type { AcceptedDeviation } from '../../log/header-record.js';

/** Returns an entry of a baseline. */
export const acceptedEntry = (changes: Partial<AcceptedDeviation> = {}): AcceptedDeviation => ({
  requirement: 'list-ok',
  outcome: 'failed',
  reason: 'mended in the next release',
  link: 'https://tracker.example.com/1',
  expires: '2026-12-31',
  ...changes,
});
