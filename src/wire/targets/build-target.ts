import { X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import { FULL_WINDOWS, loadPlans } from '../../base/interface/plans.js';
import { readRegularFile, type YamlPath } from '../../base/kernel/yaml-source.js';
import { parseBaseUrl } from './base-url.js';
import type { Place } from './placeholders.js';
import type { Target } from './target.js';
import { BAN, HTTP, type TargetFile, type WrittenKeys } from './target-file.js';
import { type KeyName, keyNames } from '../../base/interface/names.js';
import { ConfigError } from '../../base/kernel/errors.js';
import { keysIn, readKeys, checkTexts } from './keys.js';
import { keyIn, pathIn, readKeyFile } from './key-file.js';
import { subjectsOfFile } from './subject.js';

/** Reads the keys in files, in clear, with warnings about the files. Throws ConfigError `key-file`. */
function readKeySources(
  written: WrittenKeys,
  folder: string,
  placeOf: (name: KeyName) => Place,
  nameOf = (name: KeyName): string => `"keys.${name}"`,
) {
  const warnings: string[] = [];
  const keys = Object.fromEntries(
    keyNames.flatMap((name) => {
      const given = written[name];
      if (given === undefined) return [];
      const key = keyIn(given);
      const path = pathIn(key);
      if (path === undefined) return [[name, typeof key === 'string' ? key : '']];
      const found = readKeyFile(path, nameOf(name), folder, placeOf(name));
      if (found.warning !== undefined) warnings.push(found.warning);
      return [[name, found.key]];
    }),
  );
  return { keys, warnings };
}

/**
 * Fills in defaults, reads key files and checks what a schema cannot. `folder` is the base of relative paths,
 * `nameOf` names a key in errors. Throws ConfigError.
 */
export function buildTarget(
  file: TargetFile,
  placeOf: (path: YamlPath) => Place,
  folder: string,
  nameOf?: (name: KeyName) => string,
): Target {
  const { ca, ...http } = file.http ?? {};
  const placeOfKey = (name: KeyName): Place => placeOf(['keys', name]);
  const read = readKeySources(file.keys, folder, placeOfKey, nameOf);
  const { sacrificial } = file.keys;
  const keys = readKeys(
    read.keys,
    { suiteKey: file.suiteKey, sacrificial: typeof sacrificial === 'object' ? sacrificial.plan : undefined },
    (name) => (name === 'suiteKey' ? placeOf([name]) : placeOfKey(name)),
  );
  checkTexts(file, keysIn(keys), placeOf);
  const enterprise = file.plans?.enterprise;
  if (!enterprise && (keys.keys.enterprise !== undefined || keys.sacrificial?.plan === 'enterprise')) {
    throw new ConfigError({
      code: 'plan-figures',
      message: 'There is an Enterprise key but no limits for its plan.',
      ...placeOf(['plans']),
      expected: 'plans: { enterprise: { perMinute: ..., perDay: ... } }',
      hint: 'Enterprise limits are custom. Put the agreed limits into a target file, or leave out the key.',
    });
  }
  const windows = { ...FULL_WINDOWS, ...file.windows };
  if (windows.day < windows.minute) {
    throw new ConfigError({
      code: 'bad-value',
      message: "The day's window is shorter than the minute's.",
      ...placeOf(['windows', 'day']),
      hint: 'Both are in seconds.',
    });
  }
  const { enterprise: _, ...fixed } = loadPlans();
  return {
    name: file.name,
    baseUrl: parseBaseUrl(file.baseUrl, placeOf(['baseUrl'])),
    ...keys,
    ...(read.warnings.length > 0 && { warnings: read.warnings }),
    plans: { ...fixed, ...(enterprise && { enterprise }) },
    windows,
    production: file.production ?? false,
    writes: file.writes ?? true,
    exclusive: file.exclusive ?? true,
    ...(file.subject && { subject: subjectsOfFile(file.subject, (at) => placeOf(['subject', at])) }),
    ban: { ...BAN, ...file.ban },
    http: {
      ...HTTP,
      ...http,
      ...(ca !== undefined && { ca: readCertificates(resolve(folder, ca), placeOf(['http', 'ca'])) }),
    },
  };
}

/** Errors do not include the path, which may come from the environment. */
function readCertificates(file: string, place: Place): string {
  try {
    const pem = readRegularFile(file);
    // Throws unless the file starts with a certificate.
    void new X509Certificate(pem);
    return pem;
  } catch {
    throw new ConfigError({
      code: 'bad-certificate',
      message: 'The file in "http.ca" cannot be read, or contains no certificate.',
      ...place,
      expected: 'a PEM file, its path relative to the target file',
      hint: 'Export the certificate authority as PEM ("-----BEGIN CERTIFICATE-----").',
    });
  }
}
