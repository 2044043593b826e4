import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { parseYaml } from '../../base/kernel/yaml-source.js';
import { ATTESTATION, STATEMENT_TYPE, type Attestation, attestationOf } from './attestation.js';
import { makeCertificate } from './certificate.js';
import { CERTIFICATE, CERTIFICATE_VERSIONS, type Certificate, type CertificateVersion } from './certificate-shape.js';
import type { CertificateDates } from './validity.js';
import { ConfigError, RunFileError } from '../../base/kernel/errors.js';
import { listed } from '../../base/kernel/format.js';
import { checkShape } from '../../base/kernel/check-shape.js';
import type { Requirement, RequirementId } from '../../base/interface/types.js';
import { readLog } from '../../log/read.js';
import type { RunLog } from '../../log/run-log.js';
import { resultsOf } from '../results/results.js';

/** A verifiable file: the certificate, or its in-toto Statement. */
export type Testimony = Certificate | Attestation;

const HINT = 'Use the certificate.json or the certificate.intoto.json that the run wrote.';
/** Members that identify signed Statements: a DSSE envelope, and a Sigstore bundle that contains one. */
const SIGNED = ['payloadType', 'dsseEnvelope'];

/**
 * Parses a certificate or its Statement. Rejects unknown members of a certificate, since nothing would check them.
 * @param file its name, for messages
 * @throws ConfigError with file and line
 */
export function parseTestimony(text: string, file: string): Testimony {
  const source = parseYaml(text, file);
  const value = source.toValue();
  const members: Readonly<Record<string, unknown>> = typeof value === 'object' && value !== null ? { ...value } : {};
  if (SIGNED.some((name) => name in members))
    throw new ConfigError({
      code: 'signed-attestation',
      message: 'The file is a signed attestation, but this command checks no signatures.',
      file,
      hint: 'Check the signature with the signing tool (docs/release-manager.md), then the certificate next to the log.',
    });
  if (members['_type'] === STATEMENT_TYPE) return checkShape(source, value, ATTESTATION, HINT);
  const version = members['schemaVersion'];
  if (typeof version === 'number' && !CERTIFICATE_VERSIONS.some((known) => known === version))
    throw new ConfigError({
      code: 'certificate-version',
      message: `The certificate has version ${version}, but this kit reads ${listed(CERTIFICATE_VERSIONS.map(String))}.`,
      file,
      hint: 'Verify it with the kit version that its member "kit" names.',
    });
  return checkShape(source, value, CERTIFICATE, HINT);
}

/** A statement of a certificate that its log contradicts. */
export interface Mismatch {
  /** Member of the certificate, or "log" for the log as a whole. */
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
 * Returns what differs where a kit with another contract or ledger made this; otherwise null. Such a certificate cannot be
 * computed again: it is neither confirmed nor refuted.
 */
export function foreignTo({ ledger, contract: own }: Verifier, testimony: Testimony): string | null {
  const { contract, ledger: rows, kit } = madeWith(testimony);
  const others = [...(contract === own.hash ? [] : ['contract']), ...(rows === ledger.hash ? [] : ['ledger'])];
  return others.length === 0 ? null : `${kit}, with another ${others.join(' and another ')}`;
}

/** Annotations of a Statement's target: the certificate's members that the predicate lacks. Another author's may have none. */
const annotationsIn = ({ predicate }: Attestation): Readonly<Record<string, unknown>> =>
  predicate.configuration.find(({ name }) => name === 'target')?.annotations ?? {};

const textsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** What a certificate or a Statement claims, for display: never a proof. */
export interface Claims extends CertificateDates {
  readonly statement: string;
  readonly covers: readonly string[];
  readonly notCovered: readonly string[];
  readonly label?: string;
  readonly subject: readonly { readonly name?: string; readonly digest?: Readonly<Record<string, string>> }[];
  readonly target: string;
  readonly plans: readonly string[];
  /** The kit that made it, with its version. */
  readonly kit: string;
  readonly reproduce: string;
  /** Ids of the required rows that it had. */
  readonly required: readonly string[];
}

/** Returns what a certificate claims; of a Statement as far as its author wrote it. Pure. */
export function claimsOf(testimony: Testimony): Claims {
  const { kit } = madeWith(testimony);
  if ('kind' in testimony) {
    const { passed, notApplicable, subject = [], target, ...claimed } = testimony;
    const required = [...passed, ...notApplicable.map(({ id }) => id)];
    return { ...claimed, kit, subject, required, target: `${target.name} ${target.baseUrl}` };
  }
  const { predicate, subject } = testimony;
  const noted = annotationsIn(testimony);
  const text = (name: string): string => (typeof noted[name] === 'string' ? noted[name] : '');
  const aside = Array.isArray(noted['notApplicable']) ? (noted['notApplicable'] as readonly { id?: unknown }[]) : [];
  return {
    statement: text('statement'),
    covers: textsIn(noted['covers']),
    notCovered: textsIn(noted['notCovered']),
    ...(text('label') !== '' && { label: text('label') }),
    finishedAt: text('finishedAt'),
    ...(text('validUntil') !== '' && { validUntil: text('validUntil') }),
    subject: subject.slice(1),
    target: `${text('targetName')} ${predicate.configuration.find(({ name }) => name === 'target')?.uri ?? ''}`.trim(),
    plans: textsIn(noted['plans']),
    kit,
    reproduce: text('reproduce'),
    required: [...(predicate.passedTests ?? []), ...aside.map(({ id }) => String(id))],
  };
}

/** Returns the required rows of this kit that a certificate did not have, in the order of the interface. */
export const newRequired = ({ ledger }: Verifier, { required }: Claims): readonly RequirementId[] =>
  ledger.requirements.filter(({ id, level }) => level === 'must' && !required.includes(id)).map(({ id }) => id);

const versionOf = (testimony: Testimony): CertificateVersion => {
  const version = 'kind' in testimony ? testimony.schemaVersion : annotationsIn(testimony)['schemaVersion'];
  // A Statement of version 2 names no version.
  return CERTIFICATE_VERSIONS.find((known) => known === version) ?? 2;
};

function madeWith(testimony: Testimony): { readonly contract: string; readonly ledger: string; readonly kit: string } {
  if ('kind' in testimony) {
    const { contract, ledger, kit } = testimony;
    return { contract, ledger, kit: `${kit.name} ${kit.version}` };
  }
  const { configuration } = testimony.predicate;
  const named = (wanted: string) => configuration.find(({ name }) => name === wanted);
  return {
    contract: named('contract')?.digest?.sha256 ?? 'none',
    ledger: named('ledger')?.digest?.sha256 ?? 'none',
    kit: named('kit')?.uri ?? 'an unknown kit',
  };
}

/**
 * Verifies certificates and Statements of one run against its log: the log's hash, and every member computed
 * again from the log. A log that was forged as a whole cannot be detected. A damaged or truncated log is a mismatch too.
 * @throws RunFileError log-unreadable and log-version: then nothing can be verified
 */
export async function verifyCertificate(testimonies: readonly Testimony[], logFile: string, verifier: Verifier) {
  const mismatches: Mismatch[] = [];
  let hash: string | null = null;
  try {
    const log = await readLog(logFile);
    hash = await fileSha256(logFile);
    mismatches.push(...againstLog(testimonies, log, hash, verifier));
  } catch (error) {
    hash ??= error instanceof RunFileError && error.code === 'log-damaged' ? await fileSha256(logFile) : null;
    const touched = testimonies.filter((testimony) => hash !== null && sha256In(testimony) !== hash);
    // If the log is the certified one and still fails to compute, the kit is at fault.
    if (hash === null || (touched.length === 0 && !(error instanceof RunFileError))) throw error;
    mismatches.push(...touched.flatMap((testimony) => differing('log.sha256', sha256In(testimony), hash ?? '')));
    const found = error instanceof Error ? error.message : 'none';
    mismatches.push({ what: 'log', certified: 'a complete log', found });
  }
  return mismatches;
}

function againstLog(
  testimonies: readonly Testimony[],
  log: RunLog,
  hash: string,
  { ledger }: Verifier,
): readonly Mismatch[] {
  const results = resultsOf(log, ledger.requirements);
  const refused = makeCertificate(results, log, hash);
  if (refused.kind === 'refusal')
    return [
      ...testimonies.flatMap((testimony) => differing('log.sha256', sha256In(testimony), hash)),
      ...refused.reasons.map((found) => ({ what: 'verdict', certified: 'every required behaviour passed', found })),
    ];
  return testimonies.flatMap((testimony) => {
    const anew = makeCertificate(results, log, hash, versionOf(testimony));
    if (anew.kind === 'refusal') return [];
    return 'kind' in testimony
      ? differences(flat(testimony), flat(anew))
      : differences(leaves(testimony), leaves(attestationOf(anew, results)));
  });
}

/** Returns the SHA-256 of a file in hexadecimal. Reads a stream, since logs of long runs are large. */
export async function fileSha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Returns the hash of the log that a testimony names. */
export const sha256In = (testimony: Testimony): string =>
  'kind' in testimony ? testimony.log.sha256 : (testimony.subject[0]?.digest?.sha256 ?? 'none');

/** Returns a mismatch of texts that differ. */
const differing = (what: string, certified: string, found: string): readonly Mismatch[] =>
  certified === found ? [] : [{ what, certified, found }];

type Members = Readonly<Record<string, unknown>>;

function differences(certified: Members, found: Members): readonly Mismatch[] {
  return [...new Set([...Object.keys(certified), ...Object.keys(found)])]
    .filter((name) => !isDeepStrictEqual(certified[name], found[name]))
    .map((name) => ({ what: name, certified: shown(certified[name]), found: shown(found[name]) }));
}

const flat = ({ log, target, ...rest }: Certificate): Members => ({
  ...rest,
  'log.file': log.file,
  'log.sha256': log.sha256,
  'target.name': target.name,
  'target.baseUrl': target.baseUrl,
  'target.windows': target.windows,
});

/** Returns a Statement's members by path. Lists stay whole, except descriptors of which each has its own name. */
function leaves(value: unknown, place = ''): Members {
  const named =
    Array.isArray(value) && value.every(isNamed) && new Set(value.map(({ name }) => name)).size === value.length;
  if (named)
    return Object.assign(
      { [`${place}.length`]: value.length },
      ...value.map((one) => leaves(one, `${place}.${one.name}`)),
    ) as Members;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { [place]: value };
  return Object.assign(
    {},
    ...Object.entries(value).map(([name, member]) => leaves(member, place === '' ? name : `${place}.${name}`)),
  ) as Members;
}

const isNamed = (value: unknown): value is { readonly name: string } =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';

const shown = (value: unknown): string =>
  value === undefined ? 'absent' : typeof value === 'string' ? value : JSON.stringify(value);
