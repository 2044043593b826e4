import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { petstoreHere } from './command.js';
import { folder } from './folder.js';

/** Words, folder and environment of the command that a script started. */
interface Started {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Passes what a script started to the test's process, and ends as the command did there. */
const CLIENT = `
const [socketPath, ...words] = process.argv.slice(2);
const started = { words, cwd: process.cwd(), env: process.env };
require('node:http').request({ socketPath, method: 'POST' }, async (response) => {
  const { code, stdout, stderr } = JSON.parse((await response.toArray()).join(''));
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = code;
}).end(JSON.stringify(started));
`;

/**
 * Serves the command of this process to shell scripts: its start takes two seconds of a processor, and a
 * script sees only its output, files and exit code. Returns the words that stand for it in a script.
 */
export async function commandForScripts(t: TestContext): Promise<string> {
  const place = folder(t);
  const [client, socket] = [join(place, 'client.cjs'), join(place, 'socket')];
  writeFileSync(client, CLIENT);
  const server = createServer((request, response) => {
    void answer();
    async function answer() {
      const { words, cwd, env } = (await json(request)) as Started;
      response.end(JSON.stringify(await petstoreHere(words, { cwd, env })));
    }
  });
  await once(server.listen(socket), 'listening');
  t.after(() => void server.close());
  return `"${process.execPath}" "${client}" "${socket}"`;
}
