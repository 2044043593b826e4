import { ConfigError } from '../../base/kernel/errors.js';
import { checkShape } from '../../base/kernel/check-shape.js';
import { listed } from '../../base/kernel/format.js';
import { faultIn, isRecord } from '../../base/kernel/shape.js';
import { parseYaml, readText } from '../../base/kernel/yaml-source.js';
import { checkNoLfsPointer } from './altered-by-git.js';
import { ATTESTATION, STATEMENT_TYPE, type Attestation } from './attestation.js';
import {
  CERTIFICATE,
  CERTIFICATE_MEMBERS,
  CERTIFICATE_VERSIONS,
  type Certificate,
} from './certificate-shape.js';
import type { CertificateDates } from './validity.js';

export interface CertificateFile {
  /** The whole file: each member must follow from the log. */
  readonly value: Certificate | Attestation;
  /** What it says, as a certificate. A Statement that the kit did not write may lack any member. */
  readonly says: Partial<Certificate>;
}

const HINT = 'Use the certificate.json or the certificate.intoto.json that the run wrote.';
/** Members that identify signed Statements: a DSSE envelope, and a Sigstore bundle that contains one. */
const SIGNED = ['payloadType', 'dsseEnvelope'];

/** Reads a certificate or a Statement. Throws ConfigError, and UsageError for a pointer of Git LFS. */
export function readCertificateFile(file: string): CertificateFile {
  const text = readText(file, 'Name the certificate.json of a run, or its certificate.intoto.json.');
  checkNoLfsPointer(text, file);
  return parseCertificateFile(text, file);
}

/**
 * Parses a certificate or its Statement. Rejects unknown members of a certificate, since nothing would check
 * them.
 *
 * @param file its name, for messages
 * @throws ConfigError with file and line
 */
export function parseCertificateFile(text: string, file: string): CertificateFile {
  const source = parseYaml(text, file);
  const value = source.toValue();
  const members = isRecord(value) ? value : {};
  if (SIGNED.some((name) => name in members))
    throw new ConfigError({
      code: 'signed-attestation',
      message: 'The file is a signed attestation, but this command checks no signatures.',
      file,
      hint: 'Check the signature with the signing tool (docs/release-manager.md), then the certificate next to the log.',
    });
  if (members['_type'] === STATEMENT_TYPE)
    return certificateFileOf(checkShape(source, value, ATTESTATION, HINT));
  const version = members['schemaVersion'];
  if (typeof version === 'number' && !CERTIFICATE_VERSIONS.some((known) => known === version))
    throw new ConfigError({
      code: 'certificate-version',
      message: `The certificate has version ${version}, but this kit reads ${listed(CERTIFICATE_VERSIONS.map(String))}.`,
      file,
      hint: 'Verify it with the kit version that its member "kit" names.',
    });
  return certificateFileOf(checkShape(source, value, CERTIFICATE, HINT));
}

export const certificateFileOf = (value: Certificate | Attestation): CertificateFile => ({
  value,
  says: 'kind' in value ? value : certificateIn(value),
});

const faultOf = faultIn({ type: 'object', properties: CERTIFICATE_MEMBERS });

/**
 * Reads a Statement as the certificate from which `attestationOf` makes it; leaves out what has no or another
 * shape.
 */
function certificateIn({ predicate, subject: [log, ...subject] }: Attestation): Partial<Certificate> {
  const part = (wanted: string) => predicate.configuration.find(({ name }) => name === wanted);
  const { uri: baseUrl, annotations = {} } = part('target') ?? {};
  const [, name, version] = /^pkg:npm\/(.+)@(.+)$/.exec(part('kit')?.uri ?? '') ?? [];
  const members = new Map<string, unknown>([
    ...Object.entries(annotations),
    ['kit', { name, version }],
    ['contract', part('contract')?.digest?.sha256],
    ['ledger', part('ledger')?.digest?.sha256],
    ['target', { name: annotations['targetName'], baseUrl, windows: annotations['windows'] }],
    ['passed', predicate.passedTests],
    ['log', { file: log?.name, sha256: log?.digest.sha256 }],
    ['subject', subject.map((one) => ({ name: one.name, digest: one.digest }))],
  ]);
  const misshapen = (): string => faultOf(Object.fromEntries(members))?.split('.', 1)[0] ?? '';
  let wrong = misshapen();
  while (members.delete(wrong)) wrong = misshapen();
  return Object.fromEntries(members);
}

/** What a certificate or a Statement claims, for display: never a proof. Empty where a Statement does not say. */
export interface Claims extends CertificateDates {
  readonly statement: string;
  readonly covers: readonly string[];
  readonly notCovered: readonly string[];
  readonly label?: string;
  readonly subject: NonNullable<Certificate['subject']>;
  readonly target: string;
  readonly plans: readonly string[];
  /** The kit that made it, with its version. */
  readonly kit: string;
  readonly reproduce: string;
  /** Ids of the required rows that it had. */
  readonly required: readonly string[];
}

export function claimsOf({ says }: CertificateFile): Claims {
  const { kit, target, passed = [], notApplicable = [] } = says;
  return {
    statement: '',
    covers: [],
    notCovered: [],
    subject: [],
    plans: [],
    reproduce: '',
    finishedAt: '',
    ...says,
    kit: kit ? `${kit.name} ${kit.version}` : 'an unknown kit',
    target: target ? `${target.name} ${target.baseUrl}` : '',
    required: [...passed, ...notApplicable.map(({ id }) => id)],
  };
}
