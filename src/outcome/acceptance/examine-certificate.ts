import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../../base/kernel/errors.js';
import { counted } from '../../base/kernel/format.js';
import { kit } from '../../base/kernel/package.js';
import { isFile } from '../../base/kernel/places.js';
import { FILES } from '../../log/files.js';
import { checkNotAlteredByGit } from './altered-by-git.js';
import { claimsOf, readCertificateFile, type Claims, type CertificateFile } from './certificate-file.js';
import { ageOf, type Age } from './validity.js';
import {
  foreignTo,
  newRequired,
  ofAnotherLog,
  verifyCertificate,
  type Mismatch,
  type Verifier,
} from './verify-certificate.js';

/** What a certificate is worth on a day: it agrees with its log, or it does not. */
export interface Examination {
  /** Files that were checked: the certificate, and its Statement if that is in the same folder. */
  readonly files: readonly string[];
  readonly certificateFiles: readonly CertificateFile[];
  readonly logFile: string;
  readonly claims: Claims;
  /** Empty where every member follows from the log. */
  readonly mismatches: readonly Mismatch[];
  readonly age: Age;
}

export interface ExamineOptions {
  readonly verifier: Verifier;
  /** Log in another folder; by default the one next to the certificate. */
  readonly log?: string | undefined;
  /** ISO date. */
  readonly today: string;
  /** Greatest age to accept, in days; null for any. */
  readonly mostDays: number | null;
}

/**
 * Reads a certificate or a Statement, with the other of the two if it is in the same folder, and verifies
 * them against the log.
 *
 * @throws ConfigError for a file that is no certificate; UsageError `no-log`, `lfs-pointer` and `line-ends`
 *   where git changed a file, and `other-kit` where this kit cannot compute it; RunFileError
 */
export async function examineCertificate(
  file: string,
  { verifier, log, today, mostDays }: ExamineOptions,
): Promise<Examination> {
  const files = [file, ...besideOf(file)];
  const certificateFiles = files.map(readCertificateFile);
  const [first] = certificateFiles;
  if (first === undefined) throw new TypeError('There is always the named file.');
  const logFile = log ?? join(dirname(file), FILES.log);
  checkPresent(logFile, log === undefined);
  await checkNotAlteredByGit(
    logFile,
    certificateFiles.flatMap(({ says }) => says.log?.sha256 ?? []),
  );
  const claims = claimsOf(first);
  const examined = { files, certificateFiles, logFile, claims, age: ageOf(claims, today, mostDays) };
  const foreign = certificateFiles.flatMap((certificateFile, at) => {
    const other = foreignTo(verifier, certificateFile);
    return other === null ? [] : [{ file: files[at] ?? file, other }];
  });
  if (foreign[0] === undefined)
    return { ...examined, mismatches: await verifyCertificate(certificateFiles, logFile, verifier) };
  const mismatches = await ofAnotherLog(certificateFiles, logFile);
  if (mismatches.length > 0) return { ...examined, mismatches };
  throw otherKit(foreign[0], newRequired(verifier, claims));
}

function besideOf(file: string): readonly string[] {
  const others = [FILES.certificate, FILES.attestation].map((name) => join(dirname(file), name));
  return others.includes(join(file))
    ? others.filter((other) => other !== join(file) && existsSync(other))
    : [];
}

function checkPresent(logFile: string, isGuessed: boolean): void {
  if (isFile(logFile)) return;
  throw new UsageError(
    'no-log',
    `There is no log at ${logFile}, and the check needs it.`,
    isGuessed
      ? 'Put the run’s log.ndjson into the folder of the certificate, or name it with --log.'
      : 'Name the log.ndjson of the run that wrote the certificate.',
  );
}

const MOST_NAMED = 12;

/** Another contract or ledger gives other results from the log, which says nothing about the certificate. */
function otherKit(
  { file, other }: { readonly file: string; readonly other: string },
  added: readonly string[],
): Error {
  const { name, version } = kit();
  const named = added.length > MOST_NAMED ? [...added.slice(0, MOST_NAMED), '…'] : added;
  const rows =
    added.length === 0
      ? 'It has every required behaviour that this version has.'
      : `This version has ${counted(added.length, 'required behaviour')} that it has not: ${named.join(', ')}.`;
  return new UsageError(
    'other-kit',
    `${basename(file)} was made by ${other} than ${name} ${version} has, so this version cannot check it. ` +
      `Its log is unchanged. ${rows}`,
    'Verify it with the version that made it; the file names that version.',
  );
}
