import { planNames } from '../../base/interface/names.js';
import { FULL_WINDOWS } from '../../base/interface/plans.js';
import {
  array,
  closed,
  described,
  implies,
  type Of,
  oneOf,
  optional,
  published,
  refined,
  someText,
  string,
} from '../../base/kernel/shape.js';
import { SUBJECT } from '../../wire/targets/subject.js';

/**
 * Formats of the certificate, the newest first. A reader rejects any other. Version 2 has no build, no
 * subjects and no last day, and its sentence lists every gap. Only kits with another ledger wrote it, so here
 * it is shown and never confirmed: anyone who makes one from a log of today makes a certificate that never
 * ends.
 */
export const CERTIFICATE_VERSIONS = [3, 2] as const;

const moment = string({ pattern: '^\\d{4}-\\d{2}-\\d{2}T[0-9:.]+Z$' });
const day = string({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
export const sha256Hex = string({ pattern: '^[0-9a-f]{64}$' });

export const CERTIFICATE_MEMBERS = {
  schemaVersion: oneOf(CERTIFICATE_VERSIONS),
  kind: oneOf(['certificate']),
  statement: described(
    'What can be quoted: what is certified, and what is not. In version 2 it lists every gap.',
    someText,
  ),
  covers: described('What it vouches for, a clause each.', array(someText, { minItems: 1 })),
  notCovered: described(
    'What of the interface it does not vouch for, a clause each with its reason.',
    array(someText),
  ),
  label: optional(
    described('The build of the server, as the operator named it; absent where nobody did.', someText),
  ),
  subject: optional(
    described(
      'What the operator says was tested, each with its digest; absent where nobody said. The kit measured only the address.',
      array(SUBJECT, { minItems: 1 }),
    ),
  ),
  validUntil: optional(
    described(
      'The last day: 90 days after the run, or the day on which the interface removes an operation, whichever is first. ' +
        'Version 2 has none.',
      day,
    ),
  ),
  run: described('Eight hexadecimal digits that name the run.', someText),
  startedAt: moment,
  finishedAt: moment,
  kit: closed({ name: someText, version: someText }),
  interface: closed({ version: someText }),
  contract: described("SHA-256 of the contract's file.", sha256Hex),
  ledger: described("SHA-256 of the ledger's file.", sha256Hex),
  target: closed({
    name: someText,
    baseUrl: someText,
    windows: described(
      'In seconds; no others are certified.',
      closed({ minute: oneOf<number>([FULL_WINDOWS.minute]), day: oneOf<number>([FULL_WINDOWS.day]) }),
    ),
  }),
  plans: described(
    'The plans whose requests per minute were tried.',
    array(oneOf(planNames), { minItems: 1, uniqueItems: true }),
  ),
  asOf: described('The day that the deprecated operation was judged for.', day),
  passed: described('The ids of the musts that passed.', array(someText, { minItems: 1 })),
  notApplicable: described(
    'The musts that do not apply, each with the reason.',
    array(closed({ id: someText, code: someText, reason: string() })),
  ),
  partly: described(
    'What was not tried of rows that passed all the same.',
    array(closed({ id: someText, notTried: array(someText, { minItems: 1 }) })),
  ),
  warnings: described('The ids of the shoulds that were violated.', array(someText)),
  log: closed({ file: someText, sha256: sha256Hex }),
  reproduce: described('The command line that repeats the run, without any key.', someText),
};

/** certificate.json: the tested target, the kit, and how to verify. */
export type Certificate = Of<typeof CERTIFICATE>;
export const CERTIFICATE = published(
  'certificate.json of petstore-conformance',
  'What one run vouches for, and what it does not. It is computed from the log and signed by nobody: anyone who can change the ' +
    'log can make another. Names of this version stay as they are; a change of meaning raises schemaVersion.',
  refined(
    closed(CERTIFICATE_MEMBERS),
    implies({ properties: { schemaVersion: oneOf([3]) } }, { required: ['validUntil'] }),
  ),
);
