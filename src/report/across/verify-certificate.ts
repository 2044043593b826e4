import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Requirement } from '../../contract/types.js';
import { LogError, readLog } from '../../log/read.js';
import { resultsOf } from '../../verdict/results.js';
import { makeCertificate } from './certificate.js';
import type { Certificate } from './certificate.js';

/** One statement of a certificate that its log does not bear out. */
export interface Mismatch {
  /** The member of the certificate, or "log" when the log as a whole is meant. */
  readonly what: string;
  readonly certified: string;
  readonly found: string;
}

/** What the check of a certificate showed; it holds when there is no mismatch. */
export interface Verification {
  readonly holds: boolean;
  readonly mismatches: readonly Mismatch[];
}

/** The ledger that results are computed with: its rows and the SHA-256 of its file, as `loadLedger` gives them. */
export interface VerifyingLedger {
  readonly requirements: readonly Requirement[];
  readonly hash: string;
}

/**
 * Checks a certificate against its log: the log's hash, and every member, each computed anew from the log. A log that
 * cannot be read is a mismatch too.
 */
export async function verifyCertificate(
  certificate: Certificate,
  logFile: string,
  ledger: VerifyingLedger,
): Promise<Verification> {
  const mismatches = await mismatchesOf(certificate, logFile, ledger);
  return { holds: mismatches.length === 0, mismatches };
}

async function mismatchesOf(
  certificate: Certificate,
  logFile: string,
  ledger: VerifyingLedger,
): Promise<readonly Mismatch[]> {
  try {
    const hash = await fileSha256(logFile);
    const log = await readLog(logFile);
    const anew = makeCertificate(resultsOf(log, ledger.requirements), log.header, hash, { baseline: false });
    return [
      ...(ledger.hash === certificate.ledger
        ? []
        : [{ what: 'ledger of this kit', certified: certificate.ledger, found: ledger.hash }]),
      ...(anew.kind === 'refusal'
        ? anew.reasons.map((reason) => ({ what: 'verdict', certified: 'every must passed', found: reason }))
        : []),
      ...(anew.kind === 'refusal' ? hashMismatch(certificate, hash) : differences(certificate, anew)),
    ];
  } catch (error) {
    if (!(error instanceof LogError) && !isFileError(error)) throw error;
    return [{ what: 'log', certified: certificate.log.sha256, found: error.message }];
  }
}

/** The SHA-256 of a file in hexadecimal, read as a stream: logs of long runs are large. */
export async function fileSha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

const hashMismatch = ({ log }: Certificate, found: string): readonly Mismatch[] =>
  log.sha256 === found ? [] : [{ what: 'log.sha256', certified: log.sha256, found }];

/** Every member of either side that the other does not have or has otherwise. */
function differences(certified: Certificate, found: Certificate): readonly Mismatch[] {
  const [left, right] = [flat(certified), flat(found)];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])]
    .filter((name) => !isDeepStrictEqual(left[name], right[name]))
    .map((name) => ({ what: name, certified: shown(left[name]), found: shown(right[name]) }));
}

const flat = ({ log, target, ...rest }: Certificate): Readonly<Record<string, unknown>> => ({
  ...rest,
  'log.file': log.file,
  'log.sha256': log.sha256,
  'target.name': target.name,
  'target.baseUrl': target.baseUrl,
  'target.windows': target.windows,
});

const shown = (value: unknown): string =>
  value === undefined ? 'absent' : typeof value === 'string' ? value : JSON.stringify(value);

const isFileError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'syscall' in error;
