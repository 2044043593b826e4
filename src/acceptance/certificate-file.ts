import { checkShape } from '../contract/check-shape.js';
import { loadSchema } from '../contract/config-file.js';
import { ConfigError } from '../contract/config-error.js';
import { parseYaml } from '../contract/yaml-source.js';
import { STATEMENT_TYPE, type Attestation } from './attestation.js';
import { CERTIFICATE_SCHEMA_VERSION, type Certificate } from './certificate.js';

/** A file that a run writes to be believed: the certificate, or the same as an in-toto Statement. */
export type Testimony =
  | { readonly kind: 'certificate'; readonly certificate: Certificate }
  | { readonly kind: 'attestation'; readonly attestation: Attestation };

const HINT = 'Take the certificate.json or the certificate.intoto.json that the run wrote.';

/** Members by which the signed forms of a Statement are known: a DSSE envelope, and a Sigstore bundle that holds one. */
const SIGNED = ['payloadType', 'dsseEnvelope'];

/**
 * Reads the text of a certificate or of its Statement. In a certificate an unknown member is refused: nobody would check
 * what it says.
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
      message: 'The file is a signed attestation, and signatures are not checked here.',
      file,
      hint: 'Check the signature with what signed it (docs/release-manager.md has the commands), then verify the certificate that lies beside the log.',
    });
  if (members['_type'] === STATEMENT_TYPE)
    return {
      kind: 'attestation',
      attestation: checkShape(source, value, loadSchema('attestation'), HINT) as Attestation,
    };
  const version = members['schemaVersion'];
  if (typeof version === 'number' && version !== CERTIFICATE_SCHEMA_VERSION)
    throw new ConfigError({
      code: 'certificate-version',
      message: `The certificate has version ${version}, and this kit reads ${CERTIFICATE_SCHEMA_VERSION}.`,
      file,
      hint: 'Verify it with the version of the kit that made it; its member "kit" says which that is.',
    });
  return {
    kind: 'certificate',
    certificate: checkShape(source, value, loadSchema('certificate'), HINT) as Certificate,
  };
}
