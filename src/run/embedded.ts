import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { sum } from '../base/kernel/format.js';
import { linesOf } from '../base/kernel/lines.js';
import { startReference } from '../reference/server.js';
import type { Environment } from '../wire/targets/placeholders.js';
import { EMBEDDED, readTargetFile } from '../wire/targets/load-target.js';
import type { Target } from '../wire/targets/target.js';
import { Connection } from '../wire/exchange/connection.js';
import { fixedPlans, type KeyName, keyNames } from '../base/interface/names.js';
import { loadPlans } from '../base/interface/plans.js';
import { compiled } from '../base/kernel/package.js';

/** Length of a ban in the server's minutes, and the promised maximum. */
const BAN_MINUTES = { lasts: 2, promised: 3 } as const;
/** Enterprise's figures are custom: few a minute, since one process sends and serves what all plans allow. */
const ENTERPRISE = { perMinute: 400, perDay: 500_000 };

/** Starts the reference server with its target file's windows; for load on a slow machine they are longer. */
export async function startEmbedded(env: Environment, { underLoad }: { readonly underLoad: boolean }) {
  // The file sets the windows, which are needed before the server has an address.
  const { windows } = plannedEmbedded(env);
  const minute = underLoad ? await minuteForThisMachine(allowances(), windows.minute) : windows.minute;
  const reference = await startReference({
    minuteSeconds: minute,
    daySeconds: windows.day,
    banSeconds: BAN_MINUTES.lasts * minute,
    plans: { enterprise: ENTERPRISE },
  });
  const target = readTargetFile(EMBEDDED, {
    ...env,
    ...embeddedVariables(reference.baseUrl, (name) => reference.keys[name]),
  });
  const maxSeconds = Math.max(target.ban.maxSeconds ?? 0, BAN_MINUTES.promised * minute);
  return {
    target: {
      ...target,
      plans: { ...target.plans, enterprise: ENTERPRISE },
      windows: { ...windows, minute },
      ban: { ...target.ban, maxSeconds },
    },
    [Symbol.asyncDispose]: reference.close,
  };
}

function embeddedVariables(baseUrl: string, keyOf: (name: KeyName) => string): Record<string, string> {
  return {
    PETSTORE_EMBEDDED_URL: baseUrl,
    ...Object.fromEntries(
      keyNames.map((name) => [`PETSTORE_EMBEDDED_${name.toUpperCase()}_KEY`, keyOf(name)]),
    ),
  };
}

const WARMING_UP = 25;
/** Enough that one delay does not matter. */
const REQUESTS = 75;
/** Share of the time that requests may take: sending, waiting and judging go on in parallel. */
const BUSY_SHARE = 0.8;
/** A run takes five windows and more, so half seconds count. */
const STEP_SECONDS = 0.5;
/** Longest acceptable window, s; a slower machine gets inconclusive results. */
const MOST_SECONDS = 8;

/** Requests per minute of all plans: steady runs send nearly as many at the same time. */
const allowances = (): number =>
  sum(fixedPlans, (name) => loadPlans()[name].perMinute) + ENTERPRISE.perMinute;

/**
 * Returns the seconds that a minute of the embedded server needs: within it, server and kit on this machine
 * must be able to send what all plans allow. At least `least`.
 *
 * @param perMinute requests per minute of all plans together
 */
async function minuteForThisMachine(perMinute: number, least: number): Promise<number> {
  await using reference = await startReference({ minuteSeconds: 60 });
  const { origin, pathname } = new URL(reference.baseUrl);
  await using connection = new Connection(origin, { timeoutMs: 10_000, maxBodyBytes: 1_048_576 });
  const request = {
    method: 'GET',
    path: `${pathname}/pets?limit=1`,
    headers: [['Authorization', `Bearer ${reference.keys.business}`]] as const,
    body: null,
  };
  const send = async (count: number): Promise<void> => {
    for (let sent = 0; sent < count; sent += 1) await connection.send(request);
  };
  await send(WARMING_UP);
  const since = performance.now();
  await send(REQUESTS);
  const msEach = (performance.now() - since) / REQUESTS;
  const needed = Math.ceil((perMinute * msEach) / 1000 / BUSY_SHARE / STEP_SECONDS) * STEP_SECONDS;
  return Math.min(MOST_SECONDS, Math.max(least, needed));
}

/** Returns the embedded server as a target before its start, for plans. */
export const plannedEmbedded = (env: Environment): Target =>
  readTargetFile(EMBEDDED, {
    ...env,
    ...embeddedVariables('http://127.0.0.1/v1', (name) => `stand-in-${name}`),
  });

/** Starts the reference server in its own process: with a shared event loop, a load run would measure itself. */
export async function startEmbeddedProcess(env: Environment) {
  const { windows } = plannedEmbedded(env);
  const main = compiled('src/app/cli/main.js');
  const child = spawn(
    process.execPath,
    [main, 'serve', '--minute', String(windows.minute), '--day', String(windows.day)],
    // A separate group, so an interrupt from the keyboard does not end it before the run's last responses.
    { stdio: ['ignore', 'pipe', 'inherit'], detached: true },
  );
  const end = (): void => void child.kill('SIGTERM');
  process.once('exit', end);
  const said = new Map<string, string>();
  for await (const line of linesOf(child.stdout as AsyncIterable<Buffer>)) {
    const [name = '', value = ''] = line.split(/\s+/);
    said.set(name, value);
    if (said.has('sacrificial')) break;
  }
  const baseUrl = said.get('listening');
  if (baseUrl === undefined) throw new Error('The embedded server stopped before it listened.');
  const target = readTargetFile(EMBEDDED, {
    ...env,
    ...embeddedVariables(baseUrl, (name) => said.get(name) ?? ''),
  });
  return {
    target,
    async [Symbol.asyncDispose]() {
      process.off('exit', end);
      const ended = child.exitCode === null ? once(child, 'exit') : Promise.resolve();
      end();
      await ended;
    },
  };
}
