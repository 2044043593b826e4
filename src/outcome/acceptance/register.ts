import { readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { RunFileError, UserError } from '../../base/kernel/errors.js';
import { FILES } from '../../log/files.js';
import { examineCertificate, testimonyIn, type ExamineOptions } from './examine-certificate.js';
import { claimsOf, type Claims } from './verify-certificate.js';

/** Format of register.json. */
const REGISTER_SCHEMA_VERSION = 1;

/**
 * State of an entry, the worst first. `broken`: its log refutes it, or nobody can check it. `unchecked`: another version of
 * the kit made it, so this one can neither confirm nor refute it. `expired`: its time has ended.
 */
export const ENTRY_STATES = ['broken', 'unchecked', 'expired', 'valid'] as const;
export type EntryState = (typeof ENTRY_STATES)[number];

/** A certificate of the folder, as it was verified when the register was made. */
export interface RegisterEntry {
  /** Its file, relative to the folder, with forward slashes. */
  readonly file: string;
  readonly state: EntryState;
  /** Sentences about the state: why it is broken or unchecked, or its age. */
  readonly reasons: readonly string[];
  /** What it claims; null for a file that is no certificate. Of a broken one nothing of it is certain. */
  readonly claims: Claims | null;
  /** Age in days; null if it is not known. */
  readonly ageDays: number | null;
}

/** register.json: all certificates of a folder. */
export interface Register {
  readonly schemaVersion: typeof REGISTER_SCHEMA_VERSION;
  readonly kind: 'register';
  /** Day at which ages were judged, ISO date. */
  readonly asOf: string;
  readonly kit: { readonly name: string; readonly version: string };
  readonly entries: readonly RegisterEntry[];
}

/** Deepest folder that is searched, and most folders: a checkout has fewer, and a link may lead anywhere. */
const DEEPEST = 12;
const MOST_FOLDERS = 20_000;
/** Folders without certificates of a register. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git']);

/** Most contradictions of one entry that are listed. */
const MOST_REASONS = 3;

/**
 * Finds all certificates below a folder and verifies each. Follows no links. Reads one log at a time.
 * @throws RunFileError results-unreadable when the folder itself cannot be read
 */
export async function readRegister(
  dir: string,
  kit: Register['kit'],
  { verifier, today }: Pick<ExamineOptions, 'verifier' | 'today'>,
): Promise<Register> {
  const entries: RegisterEntry[] = [];
  for (const folder of await foldersWithCertificate(dir))
    entries.push(await entryOf(dir, folder, { verifier, today, mostDays: null }));
  return {
    schemaVersion: REGISTER_SCHEMA_VERSION,
    kind: 'register',
    asOf: today,
    kit,
    entries: entries.toSorted(byState),
  };
}

/** Broken entries first, then by state, newest first. */
const byState = (one: RegisterEntry, other: RegisterEntry): number =>
  ENTRY_STATES.indexOf(one.state) - ENTRY_STATES.indexOf(other.state) ||
  (other.claims?.finishedAt ?? '').localeCompare(one.claims?.finishedAt ?? '') ||
  one.file.localeCompare(other.file);

async function foldersWithCertificate(dir: string): Promise<readonly string[]> {
  const found: string[] = [];
  let left = MOST_FOLDERS;
  const search = async (folder: string, depth: number): Promise<void> => {
    if ((left -= 1) < 0 || depth > DEEPEST) return;
    const entries = await readdir(folder, { withFileTypes: true });
    if (entries.some((entry) => entry.isFile() && CERTIFICATES.includes(entry.name))) found.push(folder);
    for (const entry of entries)
      if (entry.isDirectory() && !SKIPPED.has(entry.name))
        await search(join(folder, entry.name), depth + 1).catch(() => undefined);
  };
  try {
    await search(dir, 0);
  } catch (cause) {
    throw new RunFileError('results-unreadable', `${dir} is not a readable folder`, { cause });
  }
  return found.toSorted();
}

/** The certificate, and its Statement, which stands for it where it is missing. */
const CERTIFICATES: readonly string[] = [FILES.certificate, FILES.attestation];

/** Errors that say nothing about a certificate, only about this version of the kit. */
const OF_THIS_KIT: ReadonlySet<string> = new Set(['other-kit', 'certificate-version', 'log-version']);

async function entryOf(dir: string, folder: string, how: ExamineOptions): Promise<RegisterEntry> {
  const names = await readdir(folder);
  const path = join(folder, CERTIFICATES.find((name) => names.includes(name)) ?? FILES.certificate);
  const file = relative(dir, path).split(sep).join('/');
  try {
    const { claims, mismatches, age } = await examineCertificate(path, how);
    if (mismatches.length > 0)
      return { file, state: 'broken', reasons: reasonsOf(mismatches), claims, ageDays: age.days };
    if (age.state === 'future')
      return { file, state: 'broken', reasons: [`It ${age.words}.`], claims, ageDays: age.days };
    const state = age.state === 'valid' ? 'valid' : 'expired';
    return { file, state, reasons: [`It holds, and ${age.words}.`], claims, ageDays: age.days };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const state = OF_THIS_KIT.has(error.code) ? 'unchecked' : 'broken';
    // A path of this machine helps no reader of a published page.
    const reasons = [error.message.replaceAll(`${dirname(path)}${sep}`, '')];
    return { file, state, reasons, claims: claimsIn(path), ageDays: null };
  }
}

/** Returns what a file claims, even if nobody can check it; null if it is no certificate. */
function claimsIn(path: string): Claims | null {
  try {
    return claimsOf(testimonyIn(path));
  } catch {
    return null;
  }
}

/** Members of a certificate and of its Statement that name the log. */
const LOG_HASHES: readonly string[] = ['log.sha256', `subject.${FILES.log}.digest.sha256`];

function reasonsOf(mismatches: readonly { readonly what: string; readonly found: string }[]): readonly string[] {
  const all = mismatches.map(({ what, found }) =>
    LOG_HASHES.includes(what)
      ? 'Its log is not the certified one.'
      : what === 'verdict'
        ? `Its log does not earn a certificate: ${found}`
        : `Its log does not agree with “${what}”.`,
  );
  const distinct = [...new Set(all)];
  const named = distinct.slice(0, MOST_REASONS);
  const left = distinct.length - named.length;
  return left > 0 ? [...named, `And ${left} more.`] : named;
}
