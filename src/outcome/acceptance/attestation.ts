import type { RequirementId } from '../../base/interface/types.js';
import type { Results } from '../results/results.js';
import type { Outcome } from '../../judge/verdict.js';
import type { Certificate } from './certificate.js';

/** `_type` of every in-toto Statement v1. */
export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
/** in-toto's predicate type for test results, version 0.1. */
const TEST_RESULT_TYPE = 'https://in-toto.io/attestation/test-result/v0.1';

/** in-toto's ResourceDescriptor: a resource with its address or its digest, at least one of them. */
interface ResourceDescriptor {
  readonly name?: string;
  readonly uri?: string;
  readonly digest?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

/** certificate.intoto.json: the certificate in a form for signing; its schema is `config/schemas/attestation.schema.json`. */
export type Attestation = ReturnType<typeof attestationOf>;

/**
 * Returns a certificate as an in-toto Statement about the run's log. Its tests are the ledger's rows of every level, except
 * those observed or not applicable. Members that the predicate lacks, such as the gaps in coverage, are annotations of the
 * target, so a signature includes them. The subjects are the run's log and what the operator says was tested. Pure.
 * @param results of the run that earned the certificate
 */
export function attestationOf(certificate: Certificate, results: Results) {
  const { kit, contract, ledger, target, log, subject: named = [] } = certificate;
  const having = (wanted: Outcome): readonly RequirementId[] =>
    results.requirements.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);
  const warned = having('warned');
  const subject: readonly ResourceDescriptor[] = [
    { name: log.file, digest: { sha256: log.sha256 } },
    ...named.map(({ name, digest }) => ({ name, digest, annotations: CLAIMED })),
  ];
  const configuration: readonly ResourceDescriptor[] = [
    { name: 'kit', uri: `pkg:npm/${kit.name}@${kit.version}` },
    { name: 'contract', digest: { sha256: contract } },
    { name: 'ledger', digest: { sha256: ledger } },
    { name: 'target', uri: target.baseUrl, annotations: annotationsOf(certificate) },
  ];
  return {
    _type: STATEMENT_TYPE,
    subject,
    predicateType: TEST_RESULT_TYPE,
    predicate: {
      result: warned.length > 0 ? 'WARNED' : 'PASSED',
      configuration,
      passedTests: having('passed'),
      warnedTests: warned,
      failedTests: having('failed'),
    },
  };
}

/** Marks a subject that the kit did not measure. */
const CLAIMED = { claimedBy: 'operator' } as const;

const ANNOTATED = [
  'statement',
  'covers',
  'notCovered',
  'plans',
  'asOf',
  'run',
  'startedAt',
  'finishedAt',
  'notApplicable',
  'partly',
  'reproduce',
] as const satisfies readonly (keyof Certificate)[];

/** Annotations since version 3 of the certificate. Its number tells a verifier what to compute. */
const ANNOTATED_SINCE_3 = ['schemaVersion', 'label', 'validUntil'] as const satisfies readonly (keyof Certificate)[];

const annotatedIn = (certificate: Certificate): readonly (keyof Certificate)[] =>
  certificate.schemaVersion === 2
    ? ANNOTATED
    : [...ANNOTATED, ...ANNOTATED_SINCE_3.filter((name) => certificate[name] !== undefined)];

const annotationsOf = (certificate: Certificate): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(annotatedIn(certificate).map((name) => [name, certificate[name]])),
  interfaceVersion: certificate.interface.version,
  targetName: certificate.target.name,
  windows: certificate.target.windows,
});
