import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Results } from '../../outcome/results/results.js';
import { packageRoot } from '../../base/kernel/package.js';
import { petstore } from './support/command.js';
import { folder } from './support/folder.js';

const document = readFileSync(join(packageRoot(), 'docs/client.md'), 'utf8');

/** Returns the code of a language in docs/client.md. */
const codeIn = (language: string): string =>
  new RegExp('```' + language + '\\n([^]*?)\\n```').exec(document)?.[1] ?? assert.fail(language);

/** Type annotations of the example, which Node 20 does not read. */
const withoutTypes = (code: string): string =>
  code.replaceAll(/(path|attempt|body)\??: (?:string|number)/g, '$1').replace(/\): Promise<string>/, ')');

const EXAMPLES: readonly (readonly [
  language: string,
  file: string,
  program: readonly string[],
  code: string,
])[] = [
  ['ts', 'client.mjs', [process.execPath], withoutTypes(codeIn('ts'))],
  ['python', 'client.py', ['python3'], codeIn('python')],
  ['go', 'client.go', ['go', 'run'], codeIn('go')],
];

/** Without optimization and C, Go compiles its library in two thirds of the time; the client is the same. */
const env = { CGO_ENABLED: '0', GOFLAGS: "'-gcflags=all=-N -l'" };

// Each waits as the kit's server demands for most of half a minute, so all wait together.
describe('the client of ten lines', { concurrency: true }, () => {
  for (const [language, file, program, code] of EXAMPLES)
    test(`in ${language} keeps every requirement`, async (t) => {
      if (spawnSync(program[0] ?? '', ['--version']).error) {
        t.skip(`${program[0]} is not installed`);
        return;
      }
      const cwd = folder(t);
      writeFileSync(join(cwd, file), code);
      const { code: exit, stdout } = await petstore(
        ['client', '--report-dir', 'out', '--', ...program, file],
        {
          cwd,
          env,
        },
      );
      assert.equal(exit, 0, stdout);
      const { requirements } = JSON.parse(readFileSync(join(cwd, 'out/results.json'), 'utf8')) as Results;
      const passed = requirements.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id);
      for (const id of ['client-waits', 'client-int64', 'client-bearer-key', 'client-valid-request'])
        assert.ok(
          passed.some((each) => each === id),
          `${id}: ${stdout}`,
        );
    });
});
