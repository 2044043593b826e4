import { join } from 'node:path';
import { loadContract } from '../../base/interface/contract.js';
import { loadLedger } from '../../base/interface/ledger.js';
import { UsageError } from '../../base/kernel/errors.js';
import { kit } from '../../base/kernel/package.js';
import { isFolder } from '../../base/kernel/places.js';
import { EXIT_CODES } from '../../judge/verdict.js';
import { readRegister, type RegisterEntry } from '../../outcome/acceptance/register.js';
import { wrapped } from '../../outcome/words/safe-text.js';
import { isRegisterPage, registerPage, registerSentence } from '../../report/pages/register/page.js';
import { shownPath } from '../../run/report-dir.js';
import type { Arguments } from './command-options.js';
import { line, type Io } from './io.js';
import { refuseForeign, writeAsked } from './named-files.js';
import { dayFrom } from './verify-command.js';

const FOLDER_HINT = 'Name a folder that you can write to.';

/**
 * `register DIR`: verifies all certificates of a folder, and writes register.html and register.json there.
 * @returns 1 if one is broken; otherwise 3 if this version cannot check one; otherwise 0, also with expired ones
 */
export async function registerCommand({ dir, out = dir, asOf }: Arguments<'register'>, io: Io): Promise<number> {
  for (const folder of [dir, out])
    if (!isFolder(folder))
      throw new UsageError('report-dir', `${folder} is not a folder.`, 'Name the folder with the certificates.');
  const verifier = { ledger: loadLedger(), contract: loadContract() };
  const today = dayFrom(asOf);
  const [page, json] = [join(out, 'register.html'), join(out, 'register.json')];
  refuseForeign('register', page, isRegisterPage, ' with --out');
  refuseForeign('register', json, isRegisterJson, ' with --out');
  const register = await readRegister(dir, kit(), { verifier, today });
  writeAsked(page, registerPage(register), FOLDER_HINT);
  writeAsked(json, `${JSON.stringify(register, null, 2)}\n`, FOLDER_HINT);
  for (const entry of register.entries) for (const text of entryLines(entry)) line(io.out, text);
  line(io.out, `${registerSentence(register)} ${shownPath(page)}`);
  const has = (state: RegisterEntry['state']): boolean => register.entries.some((entry) => entry.state === state);
  return has('broken') ? 1 : has('unchecked') ? EXIT_CODES.inconclusive : 0;
}

const entryLines = ({ state, file, reasons }: RegisterEntry): readonly string[] =>
  wrapped(state.padEnd(12), `${file}: ${reasons.join(' ')}`);

function isRegisterJson(text: string): boolean {
  try {
    return (JSON.parse(text) as { readonly kind?: unknown } | null)?.kind === 'register';
  } catch {
    return false;
  }
}
