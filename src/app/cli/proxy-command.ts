import { isIP } from 'node:net';
import { badOption } from '../../base/kernel/errors.js';
import { resolveTarget } from '../../drive/suite/resolve-target.js';
import { readRefusals, redirects } from '../../drive/client-scenarios/refusals.js';
import { reachTarget, refuseItself } from '../../run/reach-target.js';
import { makeReportDir } from '../../run/report-dir.js';
import { runProxy } from '../../run/run-proxy.js';
import { shellWord } from '../../base/kernel/visible.js';
import { commandLine } from './command-line.js';
import type { Arguments } from './command-options.js';
import { finishJudged } from './finish-judged.js';
import { line, type Io } from './io.js';
import { portError } from './listening.js';
import { openTarget } from './open-target.js';
import { interruption } from './process-end.js';

/** Addresses at which only this machine connects (RFC 1122, 3.2.1.3; RFC 4291, 2.5.3). */
const LOOPBACK = /^(?:127\.|::1$)/;

/** `proxy`: judges both sides of the traffic to a target, and returns the exit code of the worse verdict. */
export async function command(args: Arguments<'proxy'>, io: Io): Promise<number> {
  const { port, host, keepHost, refuse } = args;
  if (isIP(host) === 0)
    throw badOption(
      `--host ${host} is no IP address.`,
      'Write 127.0.0.1, ::1, or an address of this machine.',
    );
  const words = args.words?.length ? args.words : null;
  const refusals = refuse === undefined ? null : readRefusals(refuse);
  if (refusals !== null && redirects(refusals) && !LOOPBACK.test(host))
    // From another machine the other port may be out of reach, and a client that follows would look like one that does not.
    throw badOption(
      `--host ${host} cannot be combined with a redirect in ${refuse}.`,
      'Leave out --host and run the client on this machine, or leave out the redirect.',
    );
  await using opened = await openTarget(args, io, { underLoad: false });
  refuseItself(opened.target, port);
  let log;
  let directory;
  {
    using interrupted = interruption();
    const target = await resolveTarget(opened.target, interrupted.signal);
    refuseItself(target, port);
    const obstacle = await reachTarget(target);
    directory = makeReportDir(args.reportDir, target.name, new Date());
    log = await runProxy({
      target,
      port,
      host,
      keepHost,
      refusals,
      words,
      directory,
      command: commandLine('proxy', args),
      env: io.env,
      signal: interrupted.signal,
      obstacle,
      onListening(baseUrl) {
        // Without a command somebody has to point a client here.
        if (args.reporter === 'quiet' && words !== null) return;
        line(io.out, `listening ${baseUrl}`);
        line(io.out, `target    ${target.baseUrl}`);
        if (words === null) line(io.out, `export PETSTORE_BASE_URL=${shellWord(baseUrl)}`);
        line(io.out);
      },
    }).catch((error: unknown) => {
      throw mendable(error, port, host);
    });
  }
  return finishJudged(directory, log, args, io);
}

function mendable(error: unknown, port: number, host: string): unknown {
  return (error as NodeJS.ErrnoException).code === 'EADDRNOTAVAIL'
    ? badOption(
        `--host ${host} is no address of this machine.`,
        'Write 127.0.0.1, or an address of this machine.',
      )
    : portError(error, port);
}
