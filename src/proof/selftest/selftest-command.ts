import { writeFileSync } from 'node:fs';
import { loadLedger } from '../../base/interface/ledger.js';
import { flawedClients, named, soundClients, type ReferenceClient } from '../index.js';
import { clientLines, complaintOn, judgeClients } from './judge-clients.js';
import { complaint, matrixLines, matrixTable, matrixMarkdown, proofOf, proofText } from './present.js';
import { runTrials } from './run-trials.js';
import { exploreTrials, trials, type Trial } from './subjects.js';
import type { Arguments } from '../../app/cli/command-options.js';
import { line, print, type Io } from '../../app/cli/io.js';
import { UsageError } from '../../base/kernel/errors.js';
import { kitVersion } from '../../base/kernel/package.js';

/** First seed of the proof of exploring; the hunt uses others. */
const EXPLORE_SEED = 1;

/**
 * `selftest`: judges every flaw and variant of the reference server, and every reference client; 0 if it is
 * proven.
 */
export async function command(
  { server, half, markdown, proof }: Arguments<'selftest'>,
  io: Io,
): Promise<number> {
  const chosen = chosenTrials(server, half);
  const partial = server.length > 0 || half !== undefined;
  let done = 0;
  // The servers run in threads of their own, and clients mostly wait.
  const judging = judgeClients(chosenClients(server, half), (judged) => {
    if (!judged.ok) line(io.out, `✗ ${complaintOn(judged)}`);
  });
  const matrix = await runTrials(chosen, (row) => {
    done += 1;
    if (io.out.isTTY) io.out.write(`\r${done} of ${chosen.length} servers judged`);
    if (!row.ok) line(io.out, `${io.out.isTTY ? '\r' : ''}✗ ${complaint(row)}`);
  });
  const clients = await judging;
  if (io.out.isTTY) io.out.write('\r\u001B[K');
  const ids = loadLedger().requirements.map(({ id }) => id);
  print(io.out, matrixTable(matrix, ids));
  print(io.out, clientLines(clients));
  if (chosen.length > 0) print(io.out, matrixLines(matrix, { partial }));
  if (markdown !== undefined) writeFileSync(markdown, matrixMarkdown(matrix));
  if (proof !== undefined)
    writeFileSync(proof, proofText(proofOf(matrix, kitVersion(), new Date().toISOString())));
  return [...matrix.rows, ...clients].every(({ ok }) => ok) && (partial || matrix.ok) ? 0 : 1;
}

const CLIENTS = [...flawedClients, ...soundClients];

/** Returns the requested clients: all in the whole self-test, the named ones, and none in a half. */
const chosenClients = (
  server: readonly string[],
  half: Arguments<'selftest'>['half'],
): readonly ReferenceClient[] =>
  half === undefined ? CLIENTS.filter(({ name }) => server.length === 0 || server.includes(name)) : [];

/** Returns the requested servers. An empty list would prove nothing, but pass. Throws UsageError. */
function chosenTrials(server: readonly string[], half: Arguments<'selftest'>['half']): readonly Trial[] {
  // Exploring has its own proof: it includes the suites' servers, and takes as long again.
  const all = half === 'explore' ? exploreTrials(EXPLORE_SEED) : trials();
  named('flaw, variant or client', [...all.map(({ subject }) => subject), ...CLIENTS], server);
  const chosen = all.filter(
    ({ needs, subject }) =>
      (half === undefined || needs === half) && (server.length === 0 || server.includes(subject.name)),
  );
  if (chosen.length > 0 || chosenClients(server, half).length > 0) return chosen;
  throw new UsageError(
    'nothing-selected',
    `None of the named servers needs the half ${half}.`,
    'Leave out --half.',
  );
}
