import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { PlanName } from '../../../base/interface/types.js';
import { startAltered, type AlteredOptions } from '../../../proof/index.js';
import type { Reference } from '../../../reference/index.js';

/** Starts a reference server in this process; it ends with the test. */
export async function reference(
  context: TestContext,
  options: Partial<AlteredOptions> = {},
): Promise<Reference> {
  const server = await startAltered(options);
  context.after(() => server.close());
  return server;
}

/** Variable from which target files of the tests take their key. */
export const KEY_VARIABLE = 'CANARY_KEY';

/** A key of this process only: at one address no run of another test uses it, which would lock it. */
export const OWN_KEY = `some-key-of-test-${process.pid}`;

/** Writes a target file with one key; `settings` are further lines of YAML. Returns it with its environment. */
export function targetFile(
  directory: string,
  baseUrl: string,
  key: string,
  settings: readonly string[] = [],
  plan: PlanName = 'business',
) {
  const file = join(directory, 'target.yaml');
  const lines = [
    'name: under-test',
    `baseUrl: ${baseUrl}`,
    'keys:',
    `  ${plan}: \${${KEY_VARIABLE}}`,
    ...settings,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  return { file, env: { [KEY_VARIABLE]: key } as Readonly<Record<string, string>> };
}
