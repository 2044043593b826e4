import type { RequirementId } from '../../base/interface/types.js';
import type { Results } from '../results/results.js';
import type { Outcome } from '../../judge/verdict.js';
import { sha256Hex, type Certificate } from './certificate-shape.js';
import {
  anything,
  array,
  described,
  map,
  object,
  type Of,
  oneOf,
  optional,
  published,
  refined,
  someText,
  string,
} from '../../base/kernel/shape.js';

/** `_type` of every in-toto Statement v1. */
export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
const TEST_RESULT_TYPE = 'https://in-toto.io/attestation/test-result/v0.1';

const uri = described(
  'RFC 3986; scheme and authority in lower case.',
  string({ pattern: '^[a-z][a-z0-9+.-]*:[^\\s]+$' }),
);
const digest = map(string(), { minProperties: 1, properties: { sha256: sha256Hex } });
const DESCRIPTOR = {
  name: optional(someText),
  uri: optional(uri),
  digest: optional(digest),
  content: optional(described('Base64.', string({ contentEncoding: 'base64' }))),
  downloadLocation: optional(uri),
  mediaType: optional(someText),
  annotations: optional(map(anything, {})),
};
/** in-toto's ResourceDescriptor: a resource with its address, its digest or its content, at least one of them. */
const descriptor = refined(object(DESCRIPTOR), {
  anyOf: [
    { type: 'object', required: ['uri'] },
    { type: 'object', required: ['digest'] },
    { type: 'object', required: ['content'] },
  ],
});
type ResourceDescriptor = Of<typeof descriptor>;

const tests = optional(described('Ids of the ledger.', array(someText, { uniqueItems: true })));

/** certificate.intoto.json: the certificate in a form for signing. */
export type Attestation = Of<typeof ATTESTATION>;
export const ATTESTATION = published(
  'certificate.intoto.json of petstore-conformance',
  'An in-toto Statement v1 with the test-result predicate v0.1, from the specifications at ' +
    'https://github.com/in-toto/attestation (spec/v1/statement.md, spec/v1/resource_descriptor.md, spec/v1/digest_set.md, ' +
    'spec/predicates/test-result.md). As those ask of every reader, members that they do not name are let pass.',
  object({
    _type: oneOf([STATEMENT_TYPE]),
    subject: described(
      "What was attested to: first the run's log, by its SHA-256, then what the operator says was tested.",
      array(object({ ...DESCRIPTOR, digest }), { minItems: 1 }),
    ),
    predicateType: oneOf([TEST_RESULT_TYPE]),
    predicate: object({
      result: oneOf(['PASSED', 'WARNED', 'FAILED']),
      configuration: described(
        'The kit, its contract and ledger, and the target with what was covered.',
        array(descriptor),
      ),
      url: optional(uri),
      passedTests: tests,
      warnedTests: tests,
      failedTests: tests,
    }),
  }),
);

/**
 * Returns a certificate as an in-toto Statement about the run's log. Its tests are the ledger's rows of every
 * level, except those observed or not applicable. Members that the predicate lacks, such as the gaps in
 * coverage, are annotations of the target, so a signature includes them. The subjects are the run's log and
 * what the operator says was tested. Pure.
 *
 * @param results of the run that earned the certificate
 */
export function attestationOf(certificate: Certificate, results: Results): Attestation {
  const { kit, contract, ledger, target, log, subject: named = [] } = certificate;
  const having = (wanted: Outcome): readonly RequirementId[] =>
    results.requirements.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);
  const warned = having('warned');
  const subject = [
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

/** The kit did not measure such a subject. */
const CLAIMED = { claimedBy: 'operator' } as const;

/** Members of a certificate that have another place in the Statement. */
const ELSEWHERE: ReadonlySet<string> = new Set<keyof Certificate>([
  'kind',
  'subject',
  'kit',
  'interface',
  'contract',
  'ledger',
  'target',
  'passed',
  'warnings',
  'log',
]);

const annotationsOf = (certificate: Certificate): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(Object.entries(certificate).filter(([name]) => !ELSEWHERE.has(name))),
  interfaceVersion: certificate.interface.version,
  targetName: certificate.target.name,
  windows: certificate.target.windows,
});
