import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../base/kernel/shape.js';
import { RunFileError } from '../../base/kernel/errors.js';
import type { Requirement, RequirementId } from '../../base/interface/types.js';
import { readLog } from '../../log/read.js';
import type { RunLog } from '../../log/run-log.js';
import { resultsOf } from '../results/results.js';
import { attestationOf } from './attestation.js';
import { makeCertificate } from './certificate.js';
import { claimsOf, type Claims, type CertificateFile } from './certificate-file.js';

/** A statement of a certificate that its log contradicts. */
export interface Mismatch {
  /** Path of the certificate's member, or "log" for the log as a whole. */
  readonly what: string;
  readonly certified: string;
  readonly found: string;
}

/** Ledger and contract of this kit, which compute a certificate again. */
export interface Verifier {
  readonly ledger: { readonly requirements: readonly Requirement[]; readonly hash: string };
  readonly contract: { readonly hash: string };
}

/**
 * Returns what differs where a kit with another contract or ledger made this; otherwise null. Such a
 * certificate cannot be computed again: it is neither confirmed nor refuted.
 */
export function foreignTo({ ledger, contract }: Verifier, certificateFile: CertificateFile): string | null {
  const { says } = certificateFile;
  const others = [
    ...(says.contract === contract.hash ? [] : ['contract']),
    ...(says.ledger === ledger.hash ? [] : ['ledger']),
  ];
  return others.length === 0
    ? null
    : `${claimsOf(certificateFile).kit}, with another ${others.join(' and another ')}`;
}

export const newRequired = ({ ledger }: Verifier, { required }: Claims): readonly RequirementId[] =>
  ledger.requirements
    .filter(({ id, level }) => level === 'must' && !required.includes(id))
    .map(({ id }) => id);

/**
 * Returns a mismatch for each certificate or Statement that was made for another log. It refutes them,
 * whichever kit made them.
 *
 * @throws RunFileError log-unreadable
 */
export async function ofAnotherLog(
  certificateFiles: readonly CertificateFile[],
  logFile: string,
): Promise<readonly Mismatch[]> {
  const found = await fileSha256(logFile).catch((cause: unknown) => {
    throw new RunFileError('log-unreadable', `${logFile} cannot be read`, { cause });
  });
  const others = certificateFiles
    .map(({ says }) => says.log?.sha256 ?? 'none')
    .filter((certified) => certified !== found);
  return [...new Set(others)].map((certified) => ({ what: 'log.sha256', certified, found }));
}

/**
 * Verifies certificates and Statements of one run against its log: the log's hash, and every member computed
 * again from the log. A log that was forged as a whole cannot be detected. A damaged or truncated log is a
 * mismatch too.
 *
 * @throws RunFileError log-unreadable and log-version: then nothing can be verified
 */
export async function verifyCertificate(
  certificateFiles: readonly CertificateFile[],
  logFile: string,
  verifier: Verifier,
): Promise<readonly Mismatch[]> {
  const touched = await ofAnotherLog(certificateFiles, logFile);
  try {
    return [...touched, ...againstLog(certificateFiles, await readLog(logFile), verifier)];
  } catch (error) {
    const isDamaged = error instanceof RunFileError ? error.code === 'log-damaged' : touched.length > 0;
    // If the log is the certified one and still fails to compute, the kit is at fault.
    if (!isDamaged || !(error instanceof Error)) throw error;
    return [...touched, { what: 'log', certified: 'a complete log', found: error.message }];
  }
}

function againstLog(
  certificateFiles: readonly CertificateFile[],
  log: RunLog,
  { ledger }: Verifier,
): readonly Mismatch[] {
  const results = resultsOf(log, ledger.requirements);
  const all = certificateFiles.flatMap(({ value, says }) => {
    // The log's hash is compared on its own.
    const made = makeCertificate(results, log, says.log?.sha256 ?? 'none');
    if (made.kind === 'refusal')
      return made.reasons.map((found) => ({
        what: 'verdict',
        certified: 'every required behaviour passed',
        found,
      }));
    return differences(
      value,
      JSON.parse(JSON.stringify('kind' in value ? made : attestationOf(made, results))),
    );
  });
  return all.filter((one, at) => all.findIndex((other) => isDeepStrictEqual(one, other)) === at);
}

/** In hexadecimal. Reads a stream, since logs of long runs are large. */
export async function fileSha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/**
 * Returns what differs between two values, by path: the innermost members, or the whole value where no member
 * differs.
 */
function differences(certified: unknown, found: unknown, path: readonly string[] = []): readonly Mismatch[] {
  if (isDeepStrictEqual(certified, found)) return [];
  const [own, other] = [membersOf(certified), membersOf(found)];
  const names = own && other ? [...new Set([...own.keys(), ...other.keys()])] : [];
  const inside = names.flatMap((name) => differences(own?.get(name), other?.get(name), [...path, name]));
  if (inside.length > 0) return inside;
  return [{ what: path.join('.'), certified: shown(certified), found: shown(found) }];
}

/** Members of an object by name, and of a list in which each has its own `name`; null for other values. */
function membersOf(value: unknown): ReadonlyMap<string, unknown> | null {
  if (isRecord(value)) return new Map(Object.entries(value));
  if (!Array.isArray(value)) return null;
  const named = new Map(value.map((one: unknown) => [isRecord(one) ? String(one['name']) : '', one]));
  return named.size === value.length ? named : null;
}

const shown = (value: unknown): string =>
  value === undefined ? 'absent' : typeof value === 'string' ? value : JSON.stringify(value);
