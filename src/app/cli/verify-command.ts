import { basename } from 'node:path';
import { loadContract } from '../../base/interface/contract.js';
import { loadLedger } from '../../base/interface/ledger.js';
import { badOption } from '../../base/kernel/errors.js';
import { counted, listed } from '../../base/kernel/format.js';
import { dayAsked } from '../../base/kernel/day.js';
import { examineCertificate } from '../../outcome/acceptance/examine-certificate.js';
import { parseAge, type Age } from '../../outcome/acceptance/validity.js';
import type { Mismatch } from '../../outcome/acceptance/verify-certificate.js';
import { wrapped } from '../../outcome/words/safe-text.js';
import { subjectText } from '../../wire/targets/subject.js';
import type { Arguments } from './command-options.js';
import { print, type Io } from './io.js';

/**
 * Proof that a valid certificate gives, and its limits. Always printed, because a certificate looks stronger
 * than it is.
 */
const PROVES = 'the log is unchanged, and this kit reaches the same verdict from it';
const PROVES_NOT =
  'its author: without a signature, anyone who can edit the log can make a new certificate. ' +
  'docs/release-manager.md shows how to sign it and check the signature';

/**
 * First word of the output by the certificate's age. Only a valid one “holds”, so that a script cannot
 * misread it.
 */
const STATES = {
  valid: 'holds',
  ended: 'expired',
  old: 'too old',
  future: 'not yet valid',
} as const satisfies Record<Age['state'], string>;

/**
 * `verify CERTIFICATE`: verifies a certificate, its Statement or both against the log, and whether its time
 * has ended.
 *
 * @returns 0 if it holds, 1 if not
 */
export async function command(args: Arguments<'verify'>, io: Io): Promise<number> {
  const { certificate, log, allowExpired } = args;
  const verifier = { ledger: loadLedger(), contract: loadContract() };
  const how = { verifier, log, today: dayAsked(args.asOf), mostDays: daysFrom(args.maxAge) };
  const { files, logFile, claims, mismatches, age } = await examineCertificate(certificate, how);
  const say = (label: string, text: string) => {
    print(io.out, wrapped(label.padEnd(16), text));
  };
  const names = listed(files.map((file) => basename(file)));
  if (mismatches.length > 0) {
    say('does not hold', `${counted(mismatches.length, 'statement')} of ${names} and the log disagree`);
    for (const mismatch of mismatches) print(io.out, mismatchLines(mismatch));
    return 1;
  }
  const isAccepted = age.state === 'valid' || (age.state !== 'future' && allowExpired);
  say(isAccepted ? STATES.valid : STATES[age.state], claims.statement);
  say('age', `The certificate ${age.state === 'future' ? '' : 'holds, and '}${age.words}.`);
  if (claims.label !== undefined) say('build', claims.label);
  for (const subject of claims.subject) say('said to be', subjectText(subject));
  say('covers', claims.covers.join('; '));
  // One line each: most of them name what a requirement was not tested with.
  for (const [at, gap] of (claims.notCovered.length > 0 ? claims.notCovered : ['nothing']).entries())
    say(at === 0 ? 'not covered' : '', gap);
  say('checked', `${names} against ${basename(logFile)}`);
  say('proves', PROVES);
  say('proves not', PROVES_NOT);
  return isAccepted ? 0 : 1;
}

function* mismatchLines({ what, certified, found }: Mismatch): Iterable<string> {
  yield '';
  yield what === 'log.sha256' ? 'log.sha256: the log is not the certified one' : what;
  yield `    certified   ${certified}`;
  yield `    found       ${found}`;
}

function daysFrom(maxAge: string | undefined): number | null {
  const days = maxAge === undefined ? null : parseAge(maxAge);
  if (maxAge === undefined || days !== null) return days;
  throw badOption(
    `--max-age takes days or weeks, not "${maxAge}".`,
    'Write it as --max-age 30d or --max-age 12w.',
  );
}
