import { join } from 'node:path';
import { loadContract } from '../../base/interface/contract.js';
import { loadLedger } from '../../base/interface/ledger.js';
import { listed } from '../../base/kernel/format.js';
import { kit } from '../../base/kernel/package.js';
import { EXIT_CODES } from '../../judge/verdict.js';
import { readRegister, type RegisterEntry } from '../../outcome/acceptance/register.js';
import { wrapped } from '../../outcome/words/safe-text.js';
import { isRegisterPage, registerPage, registerSentence } from '../../report/pages/register/page.js';
import { shownPath } from '../../run/report-dir.js';
import type { Arguments } from './command-options.js';
import { line, print, type Io } from './io.js';
import { checkFolder, ensureFolder, FOLDER_HINT, refuseForeign, writeAsked } from './named-files.js';
import { dayAsked } from '../../base/kernel/day.js';
import { parsedJson } from '../../base/kernel/json.js';

/**
 * `register DIR`: verifies all certificates of a folder, and writes register.html and register.json there.
 *
 * @returns 1 if one is broken; otherwise 3 if this version cannot check one, or a folder cannot be read;
 *   otherwise 0, also with expired ones
 */
export async function command({ dir, out = dir, asOf }: Arguments<'register'>, io: Io): Promise<number> {
  checkFolder(dir, 'Name the folder with the certificates.');
  ensureFolder(out, ' with --out');
  const verifier = { ledger: loadLedger(), contract: loadContract() };
  const today = dayAsked(asOf);
  const [page, json] = [join(out, 'register.html'), join(out, 'register.json')];
  refuseForeign('register', page, isRegisterPage, ' with --out');
  refuseForeign('register', json, isRegisterJson, ' with --out');
  const register = await readRegister(dir, kit(), { verifier, today });
  writeAsked(page, registerPage(register), FOLDER_HINT);
  writeAsked(json, `${JSON.stringify(register, null, 2)}\n`, FOLDER_HINT);
  for (const entry of register.entries) print(io.out, entryLines(entry));
  const { entries, skipped = [] } = register;
  for (const { file, why } of skipped) print(io.out, wrapped('not read'.padEnd(12), `${file}: ${why}`));
  line(io.out, `${registerSentence(register)} ${shownPath(page)}`);
  const has = (state: RegisterEntry['state']): boolean => entries.some((entry) => entry.state === state);
  const isWhole = skipped.every(({ isLink }) => isLink);
  return has('broken') ? 1 : has('unchecked') || !isWhole ? EXIT_CODES.inconclusive : 0;
}

const entryLines = ({ state, file, copies = [], reasons }: RegisterEntry): readonly string[] =>
  wrapped(state.padEnd(12), `${listed([file, ...copies])}: ${reasons.join(' ')}`);

const isRegisterJson = (text: string): boolean =>
  (parsedJson(text) as { readonly kind?: unknown } | null | undefined)?.kind === 'register';
