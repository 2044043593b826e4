import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { petstoreHere } from './command.js';
import { folder } from './folder.js';
import { recording } from './recording.js';
import { resultsIn } from './results.js';
import { targetFile, type reference } from './targets.js';

/** Runs the command in this process against a server behind a proxy that records the requests. */
export async function exploring(
  t: TestContext,
  server: Awaited<ReturnType<typeof reference>>,
  words: readonly string[],
  settings: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const cwd = folder(t);
  const { baseUrl, seen } = await recording(t, server.baseUrl);
  const named = targetFile(cwd, baseUrl, server.keys.business, settings);
  const ended = await petstoreHere(['run', '--target', named.file, '--report-dir', 'run', ...words], {
    cwd,
    env: { ...named.env, ...env },
  });
  const results = resultsIn(join(cwd, 'run'));
  const { explored } = results;
  assert.ok(explored, ended.stdout + ended.stderr);
  // Exploring comes last.
  const own = explored.requests === 0 ? [] : seen.slice(-explored.requests);
  return { cwd, ended, results, explored, seen, own };
}
