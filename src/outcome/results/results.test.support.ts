import assert from 'node:assert/strict';
import type { Finding } from '../../judge/findings/finding.js';
import type { JudgedBy, Level, Requirement, RequirementId } from '../../base/interface/types.js';
import { headerRecord } from '../../log/records.test.support.js';
import type { LogHeader, LogRecord } from '../../log/record.js';
import { gather } from '../../log/gathered.test.support.js';
import { resultsOf, type RequirementResult, type Results } from './results.js';

export const SUITE: JudgedBy = { kind: 'suite', suite: 'endpoints' };
export const row = (id: RequirementId, judgedBy: JudgedBy = SUITE, level: Level = 'must'): Requirement => ({
  id,
  level,
  part: 4,
  place: 'Endpoints',
  statement: `The statement of ${id}.`,
  how: 'It is asked.',
  operations: ['listPets'],
  judgedBy,
});
export const kept = (requirement: RequirementId, ...exchanges: string[]): LogRecord => ({
  type: 'finding',
  finding: { kind: 'kept', requirement, exchanges },
});
export const found = (finding: Finding): LogRecord => ({ type: 'finding', finding });
export const settled = (requirement: RequirementId): LogRecord => ({ type: 'settled', requirement });
export const header = (scope: Partial<LogHeader['scope']>): LogHeader => ({
  ...headerRecord,
  scope: { ...headerRecord.scope, ...scope },
});
export const results = (rows: readonly Requirement[], ...records: readonly LogRecord[]): Results =>
  resultsOf(gather([headerRecord, ...records]), rows);
export const only = ({ requirements }: Results): RequirementResult => {
  const [first] = requirements;
  assert.ok(first && requirements.length === 1);
  return first;
};
