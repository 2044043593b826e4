import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startReference } from '../../../reference/index.js';
import { CANARY, OTHERS, others, settings } from './canary.js';
import { MAIN, startProcess, type Ended } from './command.js';
import { madeOnce } from './made-once.js';
import { otherServer, PRELOAD, TWO_ADDRESSES } from './two-addresses.js';

/** Folder of the passing run's reports, below its working folder. */
export const PASSING = 'here/it/is';

/** Starts the command with a umask that lets everybody read and write new files, and Node with switches. */
export const openly = (
  words: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
  switches: readonly string[] = [],
) =>
  startProcess('sh', ['-c', 'umask 000; exec "$0" "$@"', process.execPath, ...switches, MAIN, ...words], {
    cwd,
    env,
  }).ended;

/** What the server of the passing run counted. */
interface Passing extends Ended {
  readonly requests: number;
  readonly byBusiness: number | undefined;
  /** How often the name of the server was resolved. */
  readonly lookups: number;
  /** Bytes that came to the name's other address. */
  readonly strayBytes: number;
}

/**
 * Returns the one run of the whole suites as a process, with Playwright, against a sound server. It runs
 * under all that must not matter: a umask that opens every file, a key in a file, a label that holds the key,
 * and a name with a second address. It also has variables for the user's own Playwright, whose report folder
 * is `own-report`.
 */
export async function passingRun() {
  const { folder: cwd, value } = await madeOnce('passing run', make);
  return { ...value, cwd, directory: join(cwd, PASSING) };
}

async function make(cwd: string): Promise<Passing> {
  const own = join(cwd, 'own-report');
  mkdirSync(own);
  writeFileSync(join(own, 'precious.txt'), 'kept');
  const keyFile = join(cwd, '../business.key');
  writeFileSync(keyFile, `${CANARY}\n`, { mode: 0o600 });
  const [preload, lookups] = [join(cwd, '../preload.cjs'), join(cwd, '../lookups')];
  writeFileSync(preload, PRELOAD);
  const server = await startReference({ keys: { business: CANARY, ...OTHERS } });
  const { port } = new URL(server.baseUrl);
  const other = await otherServer(Number(port));
  try {
    const target = [
      'name: under-test',
      `baseUrl: http://${TWO_ADDRESSES}:${port}/v1`,
      `keys:\n  business: file:${keyFile}`,
      ...settings,
    ];
    const file = join(cwd, 'target.yaml');
    writeFileSync(file, `${target.join('\n')}\n`);
    const words = ['run', '--target', file, '--only', 'suites', '--report-dir', PASSING];
    const env = {
      ...others,
      CANARY_KEY: CANARY,
      PLAYWRIGHT_HTML_OUTPUT_DIR: own,
      PLAYWRIGHT_HTML_REPORT: own,
      PW_TEST_REPORTER: join(cwd, 'no-reporter.js'),
      PWDEBUG: '1',
      LOOKUPS: lookups,
    };
    const switches = ['--dns-result-order=ipv4first', '--require', preload];
    const ended = await openly([...words, '--verbose', '--label', `build ${CANARY}`], cwd, env, switches);
    return {
      ...ended,
      requests: server.requests(),
      byBusiness: server.requestsByKey().business,
      lookups: readFileSync(lookups, 'utf8').trim().split('\n').length,
      strayBytes: other?.received() ?? 0,
    };
  } finally {
    other?.close();
    await server.close();
  }
}
