#!/usr/bin/env node
import { hideBin } from 'yargs/helpers';
import { runWords, tellError } from './commands.js';
import { untilDone, leaveClosedTerminals } from './process-end.js';
import { EXIT_USAGE } from './explain-error.js';
import type { Io } from './io.js';

// What a run writes quotes a server's answers: it is for its owner to show around. Playwright's files inherit it.
process.umask(0o077);

const io: Io = {
  // Opened by those commands alone that ask or listen.
  get in() {
    return process.stdin;
  },
  out: process.stdout,
  err: process.stderr,
  env: process.env,
};
const words = hideBin(process.argv);

// Node reads it at every connection, its own `fetch` too: nobody turns off for all what keeps keys and webhooks from strangers.
delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];

leaveClosedTerminals();

// A reader that closes the pipe early (head, less) is no fault, and neither is a terminal that is closed: the run ends in order.
const GONE: readonly (string | undefined)[] = ['EPIPE', 'EIO', 'ENXIO', 'ERR_STREAM_DESTROYED'];
for (const stream of [io.out, io.err])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!GONE.includes(error.code)) throw error;
  });

// Node's own exit code for what nobody caught is 1, which says of a target that it does not conform.
process.on('uncaughtException', (error) => {
  tellError(error, words, io);
  process.exit(EXIT_USAGE);
});

await untilDone(
  async () => {
    process.exitCode = await runWords(words, io);
  },
  () => {
    const standstill = 'The command came to a standstill before it was done: nothing that it waits for can come.';
    tellError(new Error(standstill), words, io);
    process.exit(EXIT_USAGE);
  },
);
