import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { loadContract } from '../../base/interface/contract.js';
import { loadLedger } from '../../base/interface/ledger.js';
import { isFile } from '../../base/kernel/places.js';
import { readText } from '../../base/kernel/yaml-source.js';
import { FILES } from '../../log/files.js';
import { counted, listed } from '../../base/kernel/format.js';
import { wrapped } from '../../outcome/words/safe-text.js';
import { UsageError } from '../../base/kernel/errors.js';
import { kit } from '../../base/kernel/package.js';
import {
  parseTestimony,
  type Testimony,
  foreignTo,
  verifyCertificate,
  type Verifier,
} from '../../outcome/acceptance/verify-certificate.js';
import type { Arguments } from './command-table.js';
import { line, type Io } from './io.js';

/** Proof that a valid certificate gives, and its limits. Always printed, because a certificate looks stronger than it is. */
const PROVES = 'the log is unchanged, and this kit reaches the same verdict from it';
const PROVES_NOT =
  'its author: without a signature, anyone who can edit the log can make a new certificate. ' +
  'docs/release-manager.md shows how to sign it and check the signature';

/** `verify CERTIFICATE`: verifies a certificate, its Statement or both against the log; 0 if valid, 1 if not. */
export async function verifyCommand({ certificate, log }: Arguments<'verify'>, io: Io): Promise<number> {
  const files = [certificate, ...besideOf(certificate)];
  const testimonies = files.map(testimonyIn);
  const logFile = log ?? join(dirname(certificate), FILES.log);
  const verifier: Verifier = { ledger: loadLedger(), contract: loadContract() };
  checkPresent(logFile, log === undefined);
  for (const [at, testimony] of testimonies.entries()) checkOwn(verifier, testimony, files[at] ?? certificate);
  const mismatches = await verifyCertificate(testimonies, logFile, verifier);
  const say = (label: string, text: string) => {
    for (const each of wrapped(label.padEnd(16), text)) line(io.out, each);
  };
  const [first] = testimonies.map(claimsOf);
  const names = listed(files.map((file) => basename(file)));
  if (mismatches.length === 0) {
    say('holds', first?.statement ?? '');
    say('covers', first?.covers.join('; ') ?? '');
    say('checked', `${names} against ${basename(logFile)}`);
    say('proves', PROVES);
    say('proves not', PROVES_NOT);
    return 0;
  }
  say('does not hold', `${counted(mismatches.length, 'statement')} of ${names} and the log disagree`);
  for (const { what, certified, found } of mismatches) {
    line(io.out);
    line(io.out, what === 'log.sha256' ? 'log.sha256: the log is not the certified one' : what);
    line(io.out, `    certified   ${certified}`);
    line(io.out, `    found       ${found}`);
  }
  return 1;
}

const testimonyIn = (file: string): Testimony =>
  parseTestimony(readText(file, 'Name the certificate.json of a run, or its certificate.intoto.json.'), file);

/** The other of the two files, if it is in the same folder. */
function besideOf(file: string): readonly string[] {
  const others = [FILES.certificate, FILES.attestation].map((name) => join(dirname(file), name));
  return others.includes(join(file)) ? others.filter((other) => other !== join(file) && existsSync(other)) : [];
}

function checkPresent(logFile: string, isGuessed: boolean): void {
  if (isFile(logFile)) return;
  throw new UsageError(
    'no-log',
    `There is no log at ${logFile}, and the check needs it.`,
    isGuessed
      ? 'Put the run’s log.ndjson into the folder of the certificate, or name it with --log.'
      : 'Name the log.ndjson of the run that wrote the certificate.',
  );
}

/** Another contract or ledger gives other results from the log, which says nothing about the certificate. */
function checkOwn(verifier: Verifier, testimony: Testimony, file: string): void {
  const other = foreignTo(verifier, testimony);
  if (other === null) return;
  const { name, version } = kit();
  throw new UsageError(
    'other-kit',
    `${file} was made by ${other} than ${name} ${version} has, so this version cannot check it.`,
    'Verify it with the version that made it; the file names that version.',
  );
}

/** Returns a file's statement and coverage; another author's Statement may have none. */
function claimsOf(testimony: Testimony) {
  if ('kind' in testimony) return testimony;
  const { configuration } = testimony.predicate;
  const { statement, covers } = configuration.find(({ name }) => name === 'target')?.annotations ?? {};
  return {
    statement: typeof statement === 'string' ? statement : '',
    covers: Array.isArray(covers) ? covers.map(String) : [],
  };
}
