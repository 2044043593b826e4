import type { RequirementId } from '../contract/types.js';
import type { Results } from '../verdict/results.js';
import type { Outcome } from '../verdict/verdict.js';
import type { Certificate } from './certificate.js';

/** in-toto Attestation Framework, Statement v1: `_type` of every one. */
export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
/** in-toto's predicate for results of tests, version 0.1. */
const TEST_RESULT_TYPE = 'https://in-toto.io/attestation/test-result/v0.1';

/** in-toto's ResourceDescriptor: something by its address or its digest, one of which has to be there. */
interface ResourceDescriptor {
  readonly name?: string;
  readonly uri?: string;
  readonly digest?: { readonly sha256: string };
  readonly annotations?: Readonly<Record<string, unknown>>;
}

/** certificate.intoto.json: the certificate as others sign and read it; its schema is `config/schemas/attestation.schema.json`. */
export interface Attestation {
  readonly _type: typeof STATEMENT_TYPE;
  readonly subject: readonly ResourceDescriptor[];
  readonly predicateType: typeof TEST_RESULT_TYPE;
  readonly predicate: {
    readonly result: 'PASSED' | 'WARNED';
    readonly configuration: readonly ResourceDescriptor[];
    readonly passedTests: readonly RequirementId[];
    readonly warnedTests: readonly RequirementId[];
    readonly failedTests: readonly RequirementId[];
  };
}

/**
 * A certificate as an in-toto Statement about the run's log. Its tests are the rows of the ledger, of every level; what was
 * only observed or does not apply is none. What the predicate has no member for, such as what is not covered, stands in the
 * annotations of the target, so that a signature holds it too. Pure.
 * @param results of the run that earned the certificate
 */
export function attestationOf(certificate: Certificate, results: Results): Attestation {
  const { kit, contract, ledger, target, log } = certificate;
  const having = (wanted: Outcome): readonly RequirementId[] =>
    results.requirements.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);
  const warned = having('warned');
  return {
    _type: STATEMENT_TYPE,
    subject: [{ name: log.file, digest: { sha256: log.sha256 } }],
    predicateType: TEST_RESULT_TYPE,
    predicate: {
      result: warned.length > 0 ? 'WARNED' : 'PASSED',
      configuration: [
        { name: 'kit', uri: `pkg:npm/${kit.name}@${kit.version}` },
        { name: 'contract', digest: { sha256: contract } },
        { name: 'ledger', digest: { sha256: ledger } },
        { name: 'target', uri: target.baseUrl, annotations: annotationsOf(certificate) },
      ],
      passedTests: having('passed'),
      warnedTests: warned,
      failedTests: having('failed'),
    },
  };
}

/** What of a certificate the predicate has no member for. */
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

const annotationsOf = (certificate: Certificate): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(ANNOTATED.map((name) => [name, certificate[name]])),
  interfaceVersion: certificate.interface.version,
  targetName: certificate.target.name,
  windows: certificate.target.windows,
});
