import { checkShape } from '../../contract/check-shape.js';
import { parseYaml } from '../../contract/yaml-source.js';
import type { Certificate } from './certificate.js';

const TEXT = { type: 'string' } as const;
const HASH = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const;
const IDS = { type: 'array', items: TEXT } as const;

const object = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties),
  properties,
});

const SCHEMA = object({
  schemaVersion: { const: 1 },
  kind: { const: 'certificate' },
  statement: TEXT,
  run: TEXT,
  startedAt: TEXT,
  finishedAt: TEXT,
  kit: object({ name: TEXT, version: TEXT }),
  interface: object({ version: TEXT }),
  contract: HASH,
  ledger: HASH,
  target: object({
    name: TEXT,
    baseUrl: TEXT,
    windows: object({ minute: { type: 'number' }, day: { type: 'number' } }),
  }),
  plans: IDS,
  asOf: TEXT,
  passed: IDS,
  notApplicable: { type: 'array', items: object({ id: TEXT, code: TEXT, reason: TEXT }) },
  warnings: IDS,
  log: object({ file: TEXT, sha256: HASH }),
  reproduce: TEXT,
});

/**
 * Reads the text of a certificate. An unknown member is refused: nobody would check what it says.
 * @param file its name, for messages
 * @throws ConfigError with file and line
 */
export function parseCertificate(text: string, file: string): Certificate {
  const source = parseYaml(text, file);
  const hint = 'Take the certificate.json that the run wrote.';
  return checkShape(source, source.toValue(), SCHEMA, hint) as Certificate;
}
