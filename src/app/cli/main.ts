import { runWords, printError } from './commands.js';
import { untilDone, leaveClosedTerminals } from './process-end.js';
import { EXIT_USAGE } from './explain-error.js';
import type { Io } from './io.js';

// Reports quote a server's responses, so only their owner may read them. Playwright's files inherit this.
process.umask(0o077);

const io: Io = {
  // Only commands that ask or listen open it.
  get in() {
    return process.stdin;
  },
  out: process.stdout,
  err: process.stderr,
  env: process.env,
};
// Behind the program and this file.
const words = process.argv.slice(2);

// Node reads it at every connection, even in `fetch`: the check of certificates protects keys and webhooks, and must stay on.
delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];

leaveClosedTerminals();

// A reader that closes the pipe early (head, less), or a closed terminal, is no fault: the run ends cleanly.
const GONE: readonly (string | undefined)[] = ['EPIPE', 'EIO', 'ENXIO', 'ERR_STREAM_DESTROYED'];
/** Codes of a full disk, behind a job's log: the reports may be on another one, so the run goes on. */
const FULL: readonly (string | undefined)[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];
/** Commands that write reports into a folder, and to the terminal only what these hold as well. */
const WITH_REPORTS: ReadonlySet<string | undefined> = new Set([
  'run',
  'watch',
  'load',
  'agent',
  'proxy',
  'client',
  'judge',
]);
let isFull = false;
for (const stream of [io.out, io.err])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (FULL.includes(error.code) && WITH_REPORTS.has(words[0])) {
      if (!isFull && stream === io.out) io.err.write('The output cannot be written: its disk is full.\n');
      isFull = true;
    } else if (!GONE.includes(error.code)) throw error;
  });

// Node's exit code for uncaught errors is 1, which would mean non-conformant.
process.on('uncaughtException', (error) => {
  printError(error, words, io);
  process.exit(EXIT_USAGE);
});

await untilDone(
  async () => {
    process.exitCode = await runWords(words, io);
  },
  () => {
    const standstill = 'The command stopped before it was done: it waits for something that cannot happen.';
    printError(new Error(standstill), words, io);
    process.exit(EXIT_USAGE);
  },
);
