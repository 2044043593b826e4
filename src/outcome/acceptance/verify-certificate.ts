import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { loadSchema } from '../../base/kernel/config-file.js';
import { parseYaml } from '../../base/kernel/yaml-source.js';
import { STATEMENT_TYPE, type Attestation, attestationOf } from './attestation.js';
import { CERTIFICATE_SCHEMA_VERSION, type Certificate, makeCertificate } from './certificate.js';
import { ConfigError, RunFileError } from '../../base/kernel/errors.js';
import { checkShape } from '../../base/kernel/shape.js';
import type { Requirement } from '../../base/interface/types.js';
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
  if (members['_type'] === STATEMENT_TYPE)
    return checkShape(source, value, loadSchema('attestation'), HINT) as Attestation;
  const version = members['schemaVersion'];
  if (typeof version === 'number' && version !== CERTIFICATE_SCHEMA_VERSION)
    throw new ConfigError({
      code: 'certificate-version',
      message: `The certificate has version ${version}, but this kit reads ${CERTIFICATE_SCHEMA_VERSION}.`,
      file,
      hint: 'Verify it with the kit version that its member "kit" names.',
    });
  return checkShape(source, value, loadSchema('certificate'), HINT) as Certificate;
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
  const anew = makeCertificate(results, log.header, hash);
  if (anew.kind === 'refusal')
    return [
      ...testimonies.flatMap((testimony) => differing('log.sha256', sha256In(testimony), hash)),
      ...anew.reasons.map((found) => ({ what: 'verdict', certified: 'every required behaviour passed', found })),
    ];
  return testimonies.flatMap((testimony) =>
    'kind' in testimony
      ? differences(flat(testimony), flat(anew))
      : differences(leaves(testimony), leaves(attestationOf(anew, results))),
  );
}

/** Returns the SHA-256 of a file in hexadecimal. Reads a stream, since logs of long runs are large. */
export async function fileSha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

const sha256In = (testimony: Testimony): string =>
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

/** Returns a Statement's members by path. Lists stay whole, except descriptors with a name. */
function leaves(value: unknown, place = ''): Members {
  const named = Array.isArray(value) && value.every(isNamed);
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
