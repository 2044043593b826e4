import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { RunFileError, UserError } from '../../base/kernel/errors.js';
import { whyUnreadable } from '../../base/kernel/yaml-source.js';
import { FILES } from '../../log/files.js';
import { examineCertificate, type ExamineOptions } from './examine-certificate.js';
import type { Mismatch } from './verify-certificate.js';
import { claimsOf, readCertificateFile, type Claims, type CertificateFile } from './certificate-file.js';

const REGISTER_SCHEMA_VERSION = 1;

/**
 * State of an entry, the worst first. `broken`: its log refutes it, or nobody can check it. `unchecked`:
 * another version of the kit made it, or a checkout changed its log, so this check can neither confirm nor
 * refute it. `expired`: its time has ended.
 */
export const ENTRY_STATES = ['broken', 'unchecked', 'expired', 'valid'] as const;
export type EntryState = (typeof ENTRY_STATES)[number];

/** A certificate of the folder, as it was verified when the register was made. */
export interface RegisterEntry {
  /** Its file, relative to the folder, with forward slashes. */
  readonly file: string;
  /** Other files with the same certificate. */
  readonly copies?: readonly string[];
  readonly state: EntryState;
  /** Sentences about the state: why it is broken or unchecked, or its age. */
  readonly reasons: readonly string[];
  /** What it claims; null for a file that is no certificate. Of a broken one nothing of it is certain. */
  readonly claims: Claims | null;
  /** Age in days; null if it is not known. */
  readonly ageDays: number | null;
}

export interface Register {
  readonly schemaVersion: typeof REGISTER_SCHEMA_VERSION;
  readonly kind: 'register';
  /** Day at which ages were judged, ISO date. */
  readonly asOf: string;
  readonly kit: { readonly name: string; readonly version: string };
  readonly entries: readonly RegisterEntry[];
  readonly skipped?: readonly Skipped[];
}

/** A link or a folder below the register's, which may have a certificate. */
export interface Skipped {
  readonly file: string;
  readonly why: string;
  /** True for a link: links are never followed, so its certificate is expected elsewhere. */
  readonly isLink: boolean;
}

/** Deepest folder that is searched, and most folders: a checkout has fewer, and a link may lead anywhere. */
const DEEPEST = 12;
const MOST_FOLDERS = 20_000;
/** Folders without certificates of a register. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git']);

const MOST_REASONS = 3;

/**
 * Finds all certificates below a folder and verifies each; one that stands in several places once. Follows no
 * links. Reads one log at a time.
 *
 * @throws RunFileError results-unreadable when the folder itself cannot be read
 */
export async function readRegister(
  dir: string,
  kit: Register['kit'],
  { verifier, today }: Pick<ExamineOptions, 'verifier' | 'today'>,
): Promise<Register> {
  const { files, skipped } = await certificatesBelow(dir);
  const found: Found[] = [];
  for (const file of files) found.push(await foundAt(dir, file, { verifier, today, mostDays: null }));
  return {
    schemaVersion: REGISTER_SCHEMA_VERSION,
    kind: 'register',
    asOf: today,
    kit,
    entries: eachOnce(found).toSorted(byState),
    ...(skipped.length > 0 && { skipped }),
  };
}

const byState = (one: RegisterEntry, other: RegisterEntry): number =>
  ENTRY_STATES.indexOf(one.state) - ENTRY_STATES.indexOf(other.state) ||
  (other.claims?.finishedAt ?? '').localeCompare(one.claims?.finishedAt ?? '') ||
  one.file.localeCompare(other.file);

/** The certificate, and its Statement, which stands for it where it is missing. */
const CERTIFICATES: readonly string[] = [FILES.certificate, FILES.attestation];

/** Returns the certificates below a folder, at most one for each folder, with forward slashes. */
async function certificatesBelow(dir: string) {
  const files: string[] = [];
  const skipped: Skipped[] = [];
  let left = MOST_FOLDERS;
  const skip = (folder: string, why: string) =>
    skipped.push({ file: shownIn(dir, folder), why, isLink: why === 'a link' });
  const search = async (folder: string, depth: number): Promise<void> => {
    left -= 1;
    if (left < 0 || depth > DEEPEST) return void skip(folder, left < 0 ? 'too many folders' : 'too deep');
    const entries = await readdir(folder, { withFileTypes: true });
    const named = CERTIFICATES.flatMap((name) => entries.find((entry) => entry.name === name) ?? []);
    const path = ({ name }: Dirent): string => join(folder, name);
    const [first] = named.filter((entry) => entry.isFile());
    if (first) files.push(path(first));
    for (const entry of named) if (entry.isSymbolicLink()) skip(path(entry), 'a link');
    for (const entry of entries)
      if (entry.isDirectory() && !SKIPPED.has(entry.name))
        await search(path(entry), depth + 1).catch((error: unknown) =>
          skip(path(entry), whyUnreadable(error)),
        );
  };
  try {
    await search(dir, 0);
  } catch (cause) {
    throw new RunFileError('results-unreadable', `${dir} is not a readable folder`, { cause });
  }
  return { files: files.toSorted((one, other) => (dirname(one) < dirname(other) ? -1 : 1)), skipped };
}

const shownIn = (dir: string, path: string): string => relative(dir, path).split(sep).join('/');

interface Found {
  readonly entry: RegisterEntry;
  readonly contents: readonly CertificateFile['value'][];
  /** Its log, from which all its members follow; null if that is not so. */
  readonly proven: string | null;
  readonly lacksLog: boolean;
}

/**
 * Returns the entries, with copies of one certificate joined. One without its log is the copy of one that has
 * it.
 */
function eachOnce(found: readonly Found[]): readonly RegisterEntry[] {
  const firsts: Found[] = [];
  for (const one of found.toSorted((a, b) => Number(b.proven !== null) - Number(a.proven !== null))) {
    const at = firsts.findIndex((first) => isCopy(one, first));
    const first = firsts[at];
    if (first === undefined) firsts.push(one);
    else {
      const copies = [...(first.entry.copies ?? []), one.entry.file];
      firsts[at] = { ...first, entry: { ...first.entry, copies } };
    }
  }
  return firsts.map(({ entry }) => entry);
}

function isCopy(one: Found, of: Found): boolean {
  if (one.proven !== null) return one.proven === of.proven;
  const isSame =
    one.contents.length > 0 &&
    one.contents.every((value) => of.contents.some((own) => isDeepStrictEqual(value, own)));
  return (
    isSame &&
    (one.lacksLog
      ? of.proven !== null || of.lacksLog
      : isDeepStrictEqual(one.entry.reasons, of.entry.reasons))
  );
}

/** Errors that say nothing about a certificate, only about this version of the kit, or about a checkout. */
const OF_THIS_CHECK: ReadonlySet<string> = new Set([
  'other-kit',
  'certificate-version',
  'log-version',
  'lfs-pointer',
  'line-ends',
]);

async function foundAt(dir: string, path: string, how: ExamineOptions): Promise<Found> {
  const file = shownIn(dir, path);
  try {
    const { certificateFiles, claims, mismatches, age } = await examineCertificate(path, how);
    const isBroken = mismatches.length > 0 || age.state === 'future';
    const reasons =
      mismatches.length > 0 ? reasonsOf(mismatches) : [`It ${isBroken ? '' : 'holds, and '}${age.words}.`];
    const state = isBroken ? 'broken' : age.state === 'valid' ? 'valid' : 'expired';
    const says = certificateFiles[0]?.says;
    return {
      entry: { file, state, reasons, claims, ageDays: age.days },
      contents: certificateFiles.map(({ value }) => value),
      proven: isBroken ? null : (says?.log?.sha256 ?? null),
      lacksLog: false,
    };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const state = OF_THIS_CHECK.has(error.code) ? 'unchecked' : 'broken';
    // A path of this machine helps no reader of a published page.
    const reasons = [error.message.replaceAll(`${dirname(path)}${sep}`, '')];
    const certificateFile = readable(path);
    return {
      entry: { file, state, reasons, claims: certificateFile && claimsOf(certificateFile), ageDays: null },
      contents: certificateFile ? [certificateFile.value] : [],
      proven: null,
      lacksLog: error.code === 'no-log',
    };
  }
}

/** Returns a file even if nobody can check it; null if it is no certificate. */
function readable(path: string): CertificateFile | null {
  try {
    return readCertificateFile(path);
  } catch {
    return null;
  }
}

function reasonOf({ what, found }: Mismatch): string {
  switch (what) {
    case 'log.sha256':
      return 'Its log is not the certified one.';
    case 'log':
      return 'Its log is damaged.';
    case 'verdict':
      return `Its log does not earn a certificate: ${found}`;
    default:
      return `Its log does not agree with “${what}”.`;
  }
}

function reasonsOf(mismatches: readonly Mismatch[]): readonly string[] {
  const distinct = [...new Set(mismatches.map(reasonOf))];
  const named = distinct.slice(0, MOST_REASONS);
  const left = distinct.length - named.length;
  return left > 0 ? [...named, `And ${left} more.`] : named;
}
