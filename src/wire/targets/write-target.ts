import type { PlanFigures } from '../../base/interface/plans.js';
import { parseBaseUrl } from './base-url.js';
import { pathIn } from './key-file.js';
import { type KeyName, keyNames } from '../../base/interface/names.js';

export interface TargetDraft {
  readonly name: string;
  readonly baseUrl: string;
  /** Source of each key: `${NAME}` or `file:PATH`, never a key. */
  readonly keys: Readonly<Partial<Record<KeyName, string>>>;
  readonly enterprise?: PlanFigures;
  readonly production: boolean;
  readonly writes: boolean;
  /** Location of the schema for editors: an address, or a path relative to the file. */
  readonly schema: string;
}

export const usualVariable = (name: KeyName): string => `PETSTORE_${name.toUpperCase()}_KEY`;

export const isKeySource = (text: string): boolean =>
  /^\$\{[A-Za-z_][A-Za-z0-9_]*(:-)?\}$/.test(text) || (pathIn(text) ?? '') !== '';

const NOTES: Readonly<Partial<Record<KeyName, string>>> = {
  enterprise: 'needs its limits below',
  sacrificial: 'a Free key that may get banned: for --include ban',
};

/** Returns the text of a target file, with a line for every setting; defaults are in comments. */
export function targetText({
  name,
  baseUrl,
  keys,
  enterprise,
  production,
  writes,
  schema,
}: TargetDraft): string {
  const figures = enterprise ?? { perMinute: 2400, perDay: 500_000 };
  return `# yaml-language-server: $schema=${schema}
# The server to judge, its keys, and facts about it.

name: ${plain(name)} # used in reports and in the names of their folders
baseUrl: ${plain(parseBaseUrl(baseUrl, {}))} # ends with /v1

# A key for each plan to test; the verdict names plans without a key.
# \${NAME} is an environment variable that must be set, \${NAME:-} one that may
# be missing. file:PATH is a file with the key on its only line; the path starts
# here. Do not write keys into this file.
keys:
${keyNames.map((key) => keyLine(key, keys[key])).join('\n')}

# Limits agreed for the Enterprise key; the interface has those of other plans.
${enterprise ? '' : '# '}plans: { enterprise: { perMinute: ${figures.perMinute}, perDay: ${figures.perDay} } }

production: ${production} # true: no bursts and no bans without --allow-load-on-production
writes: ${writes} # false: no request creates an animal
exclusive: true # false: others use these keys during a run

# For unusual servers; remove the # to use a line.
# suiteKey: free # key that the suites use; default: the largest plan's
# windows: { minute: 60, day: 86400 } # seconds, for a server with shorter windows
# subject: ['\${PETSTORE_IMAGE:-}'] # NAME@sha256:DIGEST that runs there, for the certificate
# ban: { maxSeconds: 900, maxRequests: 60, perSecond: 10 } # the longest ban
# http: { timeoutMs: 10000, maxBodyBytes: 1048576 } # ca: ./ca.pem to trust
`;
}

function keyLine(name: KeyName, source: string | undefined): string {
  const note = NOTES[name] === undefined ? '' : ` # ${NOTES[name]}`;
  return source === undefined
    ? `  # ${name}: \${${usualVariable(name)}}${note}`
    : `  ${name}: ${plain(source)}${name === 'sacrificial' ? note : ''}`;
}

/** Returns a text as YAML, quoted if it would be ambiguous. */
const plain = (text: string): string => (/^[A-Za-z$][\w./:${}@-]*$/.test(text) ? text : JSON.stringify(text));
