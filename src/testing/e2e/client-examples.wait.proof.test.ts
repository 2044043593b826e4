import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Results } from '../../outcome/results/results.js';
import { packageRoot } from '../../base/kernel/package.js';
import { petstore, startProcess } from './support/command.js';
import { folder } from './support/folder.js';

const document = readFileSync(join(packageRoot(), 'docs/client.md'), 'utf8');

/** Returns the code of a language in docs/client.md. */
const codeIn = (language: string): string =>
  new RegExp('```' + language + '\\n([^]*?)\\n```').exec(document)?.[1] ?? assert.fail(language);

/** Type annotations of the example, which Node 20 does not read. */
const withoutTypes = (code: string): string =>
  code.replaceAll(/(path|attempt|body)\??: (?:string|number)/g, '$1').replace(/\): Promise<string>/, ')');

interface Example {
  readonly language: string;
  readonly file: string;
  readonly code: string;
  /** The program that must be installed. */
  readonly needs: string;
  /** Compiles the file: on a busy machine that takes longer than a scenario may. */
  readonly compile?: readonly string[];
  readonly command: readonly string[];
}

const EXAMPLES: readonly Example[] = [
  {
    language: 'ts',
    file: 'client.mjs',
    code: withoutTypes(codeIn('ts')),
    needs: process.execPath,
    command: [process.execPath, 'client.mjs'],
  },
  {
    language: 'python',
    file: 'client.py',
    code: codeIn('python'),
    needs: 'python3',
    command: ['python3', 'client.py'],
  },
  {
    language: 'go',
    file: 'client.go',
    code: codeIn('go'),
    needs: 'go',
    compile: ['build', '-o', 'client', 'client.go'],
    command: ['./client'],
  },
];

/** Without optimization and C, Go compiles its library in two thirds of the time; the client is the same. */
const env = { CGO_ENABLED: '0', GOFLAGS: "'-gcflags=all=-N -l'" };

// Each waits as the kit's server demands for most of half a minute, so all wait together.
describe('the client of ten lines', { concurrency: true }, () => {
  for (const { language, file, code, needs, compile, command } of EXAMPLES)
    test(`in ${language} keeps every requirement`, async (t) => {
      if (spawnSync(needs, ['--version']).error) {
        t.skip(`${needs} is not installed`);
        return;
      }
      const cwd = folder(t);
      writeFileSync(join(cwd, file), code);
      if (compile) {
        const compiled = await startProcess(needs, compile, { cwd, env }).ended;
        assert.equal(compiled.code, 0, compiled.stderr);
      }
      const words = ['client', '--report-dir', 'out', '--', ...command];
      const { code: exit, stdout } = await petstore(words, { cwd, env });
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
