import assert from 'node:assert/strict';
import { loadContract } from '../../base/interface/contract.js';
import { loadLedger } from '../../base/interface/ledger.js';
import type { LogRecord } from '../../log/record.js';
import { gather } from '../../log/gathered.test.support.js';
import { type RunLog } from '../../log/run-log.js';
import { resultsOf } from '../results/results.js';
import {
  exampleExchange,
  exampleProfile,
  exampleRecords,
  type ExampleChanges,
} from '../../report/example-run.test.support.js';
import { attestationOf, type Attestation } from './attestation.js';
import { makeCertificate } from './certificate.js';
import type { Certificate } from './certificate-shape.js';
import { rateHeadersWith } from '../../base/interface/rate-headers.js';

const SOUND = exampleExchange();

export const SOUND_EXCHANGE = {
  ...SOUND,
  answer: {
    ...SOUND.answer,
    kind: 'response',
    headers: [
      ['Content-Type', 'application/json'],
      ['Date', new Date(SOUND.sentAt).toUTCString()],
      ...rateHeadersWith({ limit: 1000, remaining: 999, reset: Math.ceil(SOUND.sentAt / 1000) + 59 }),
    ],
    status: 200,
    text: '[]',
  },
} as const;

/** Returns the records of a run that earns a certificate, with evidence as complete as a real run's. */
export function certifiedRecords({ header, ...changes }: ExampleChanges = {}): readonly LogRecord[] {
  const { findings, ...rest } = {
    profiles: [exampleProfile(1, 2), { ...exampleProfile(1, 2), plan: 'business' as const }],
    exchanges: [SOUND_EXCHANGE],
    ...changes,
  };
  const records = exampleRecords({
    ...rest,
    ...(findings && { findings }),
    header: {
      contract: loadContract().hash,
      acceptance: { certificate: true, baseline: false },
      ...header,
    },
  });
  return records.flatMap((record): readonly LogRecord[] => {
    if (record.type !== 'profile') return [record];
    const { profile, plan, sent, startedAt } = record.summary;
    const rows = Array.from({ length: sent }, (_, at) => {
      const sentAt = startedAt + at;
      return ['listPets', sentAt, sentAt, sentAt + 1, 200, 60, 60 - at, 1_763_632_860, null, sentAt] as const;
    });
    return [{ type: 'series', profile, plan, rows }, record];
  });
}

export const certifiedLog = (changes: ExampleChanges = {}): RunLog => gather(certifiedRecords(changes));

/** Returns a log as the text of its file. */
export const ndjson = (records: readonly LogRecord[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** Returns the certificate that a log earns. */
export function certificateIn(log: RunLog, hash: string): Certificate {
  const made = makeCertificate(resultsOf(log, loadLedger().requirements), log, hash);
  assert.ok(made.kind === 'certificate', made.kind === 'refusal' ? made.reasons.join('\n') : '');
  return made;
}

/** Returns the Statement of the same certificate. */
export const attestationIn = (log: RunLog, hash: string): Attestation =>
  attestationOf(certificateIn(log, hash), resultsOf(log, loadLedger().requirements));
