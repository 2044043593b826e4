import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type AgentSeconds,
  type RunState,
  type SliceJob,
  type SliceState,
} from '../../loadkit/fleet/messages.js';
import { BEAT_MS, TOLD_SECONDS } from '../../loadkit/fleet/state.js';
import { packageRoot } from '../../base/kernel/package.js';
import { switchesForChild } from '../node-switches.js';
import type { Crew, Seat } from './crew.js';

/** First message to a worker. Its channel is private to both processes, so it may carry the secret. */
export interface WorkerOrder {
  readonly job: SliceJob;
  readonly secret: string;
  /** Folder for the log of its part. */
  readonly directory: string;
  /** File for its requests; null for none. */
  readonly out: string | null;
  /** Certificate authority of the target; null for those of the machine. */
  readonly ca: string | null;
}

export interface WorkerNews {
  readonly state: RunState;
  /** True if its log has arrived. */
  readonly isReceived: boolean;
}

/** Message from a worker: only what changed. */
export interface WorkerReport {
  readonly state?: SliceState;
  readonly second?: AgentSeconds[number];
  /** A sentence for people. */
  readonly said?: string;
}

interface WorkerSeat extends Seat {
  state: SliceState | null;
  seconds: AgentSeconds;
  broken: string | null;
  child: ChildProcess | null;
  /** Beats since its last message: while this process is held up, nobody is silent. */
  silentBeats: number;
  isReceived: boolean;
}

function send({ child }: WorkerSeat, message: WorkerOrder | WorkerNews): void {
  // One that has ended is noticed by its exit.
  if (child?.connected === true) child.send(message, () => undefined);
}

interface WorkerPlace extends Pick<WorkerOrder, 'secret' | 'ca'> {
  /** Folder of a part, by its place from 0. */
  readonly directoryOf: (index: number) => string;
  /** File for the requests of a part; null for none. */
  readonly outOf: (index: number) => string | null;
  readonly say: (text: string) => void;
}

/**
 * Starts workers for the parts of one run: processes of this machine, each with its own event loop. They end
 * when this process does.
 */
export function workerCrew(
  { secret, ca, directoryOf, outOf, say }: WorkerPlace,
  run: string,
  count: number,
): Crew {
  const seats = Array.from({ length: count }, (): WorkerSeat => ({
    state: null,
    seconds: [],
    broken: null,
    child: null,
    silentBeats: 0,
    isReceived: false,
  }));
  let state: RunState = { run, step: 'gather', beat: 0, beginsAt: null };
  const inform = (seat: WorkerSeat): void => send(seat, { state, isReceived: seat.isReceived });

  const start = (seat: WorkerSeat, index: number, job: SliceJob): void => {
    const child = fork(join(packageRoot(), 'dist/src/run/fleet/load-worker.js'), {
      execArgv: [...switchesForChild(process.execArgv)],
      // A separate group, so an interrupt from the keyboard reaches only this process, which stops the workers.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    seat.child = child;
    child.on('message', (report: WorkerReport) => {
      seat.silentBeats = 0;
      seat.state = report.state ?? seat.state;
      if (report.second) seat.seconds = [...seat.seconds, report.second].slice(-TOLD_SECONDS);
      if (report.said !== undefined) say(report.said);
    });
    child.on('error', (error) => (seat.broken ??= `was lost: its process failed (${error.message})`));
    child.on('exit', (code, signal) => {
      const how = signal === null ? `exit code ${code}` : signal;
      if (seat.state?.step !== 'done')
        seat.broken ??= `was lost: its process ended (${how}), and no figure includes its requests`;
    });
    send(seat, { job, secret, ca, directory: directoryOf(index), out: outOf(index) });
    inform(seat);
  };

  return {
    noun: 'worker',
    seats,
    hints: {
      missing: 'Use fewer --workers, or wait longer with --wait.',
      refused: 'Fix that, and start the run again.',
      lost: 'Look for the reason in the system’s log, such as too little memory. Use fewer --workers.',
    },
    async handOut(jobs) {
      for (const [index, job] of jobs.entries()) {
        const seat = seats[index];
        if (seat) start(seat, index, job);
      }
      return null;
    },
    async beat() {
      for (const seat of seats) seat.silentBeats += 1;
    },
    tell(change) {
      state = { ...state, ...change };
      seats.forEach(inform);
    },
    silentMs: (index) => (seats[index]?.state ? seats[index].silentBeats * BEAT_MS : 0),
    fetchLog: async (_, file) => existsSync(dirname(file)) && existsSync(file),
    received(index) {
      const seat = seats[index];
      if (!seat) return;
      seat.isReceived = true;
      inform(seat);
    },
    fault: () => null,
    awayMs: () => 0,
    longestAwayMs: () => 0,
    offsetMs: async () => 0,
    async close() {
      await Promise.all(seats.map(({ child }) => ended(child)));
    },
  };
}

/** Time for a worker to end by itself, ms: it has only to close its connections. */
const LEAVE_MS = 3000;

async function ended(child: ChildProcess | null): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
    return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  if (child.connected) child.disconnect();
  const timer = setTimeout(() => child.kill('SIGKILL'), LEAVE_MS);
  await exit;
  clearTimeout(timer);
}
