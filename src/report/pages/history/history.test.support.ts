import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { after } from 'node:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  exampleResults,
  inconclusive,
  violated,
  type ExampleChanges,
} from '../../example-run.test.support.js';
import { resultsJson } from '../../machine/results-json.js';
import { historyByTarget } from '../../../outcome/acceptance/history.js';
import { readHistory } from '../../../outcome/acceptance/read-history.js';

const folders: string[] = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'history-'));
  folders.push(folder);
  return folder;
}

export const night = (index: number): string => new Date(Date.UTC(2026, 0, 1 + index, 3)).toISOString();

export async function writeRun(
  dir: string,
  name: string,
  index: number,
  { obstacle, ...changes }: ExampleChanges & { readonly obstacle?: boolean } = {},
): Promise<void> {
  await mkdir(join(dir, name), { recursive: true });
  const results = exampleResults({ ...changes, header: { ...changes.header, startedAt: night(index) } });
  const idle = {
    ...results,
    obstacle: { code: 'refused' as const, message: 'nothing listens at the address.', hint: 'Start it.' },
  };
  await writeFile(join(dir, name, 'results.json'), resultsJson(obstacle ? idle : results));
}

/** Builds a history of runs from results of list-ok: passed, failed, inconclusive, cut short or not started. */
export async function historyOf(runs: readonly { readonly letter: string; readonly label: string }[]) {
  const dir = await emptyFolder();
  for (const [index, { letter, label }] of runs.entries())
    await writeRun(dir, `run-${index}`, index, {
      header: label === '' ? {} : { label },
      findings: letter === 'f' ? [violated('list-ok')] : letter === 'p' ? [] : [inconclusive('list-ok')],
      footer: letter !== 'c',
      ...(letter === 's' && { obstacle: true }),
    });
  return readHistory(dir);
}

/** Returns the history of the only target of these runs. */
export async function targetOf(...runs: readonly ExampleChanges[]) {
  const dir = await emptyFolder();
  for (const [index, changes] of runs.entries()) await writeRun(dir, `run-${index}`, index, changes);
  const [target] = historyByTarget(await readHistory(dir));
  assert.ok(target);
  return target;
}

/** A deviation that a baseline accepts. */
export const ACCEPTED = [
  {
    requirement: 'list-ok',
    outcome: 'failed',
    reason: 'agreed',
    link: 'https://t.example.com/1',
    expires: '2099-01-31',
  },
] as const;
