import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Times of test files: by the clock, by the processor, and what a file waited for. */

/** What a process waits for while it does not compute, the most telling first. */
const WAITS = [
  ['other processes', /^ProcessWrap$/],
  ['timers', /^Timeout$|^Immediate$/],
  ['connections', /^TCP|^TLS|^Pipe|^HTTP|^GetAddrInfo/],
] as const;

export type Waited = (typeof WAITS)[number][0] | 'other';

export interface FileTime {
  readonly file: string;
  readonly seconds: number;
  /** Of the process and of its ended children. */
  readonly processorSeconds: number;
  /** Seconds by what was open while the process was idle. */
  readonly waited: Readonly<Partial<Record<Waited, number>>>;
}

/** Ticks of a second in `/proc/PID/stat`: Linux reports 100 to programs on every architecture. */
const TICKS = 100;
/** Place of `utime` behind the name in `/proc/PID/stat`; `stime`, `cutime` and `cstime` follow (proc(5)). */
const FIRST_TIME = 11;

/** Returns the processor seconds of this process and of its ended children, where the system counts those. */
export function processorSeconds(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // The name stands in parentheses and may hold blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const times = fields.slice(FIRST_TIME, FIRST_TIME + 4).map(Number);
    return times.reduce((sum, ticks) => sum + ticks, 0) / TICKS;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}

/** Often enough for a file of a second; every 20 ms it took a twentieth of all processor time. */
const SAMPLE_MS = 100;

function waitedFor(): Waited {
  const open = process.getActiveResourcesInfo();
  return WAITS.find(([, pattern]) => open.some((name) => pattern.test(name)))?.[0] ?? 'other';
}

/** Starts to measure; `restart` forgets what was measured so far. */
export function startClock(): { restart(): void; stop(): Omit<FileTime, 'file'> } {
  let [from, used] = [0, 0];
  let waited: Partial<Record<Waited, number>> = {};
  let last = { at: 0, used: 0 };
  const restart = (): void => {
    [from, used, waited] = [performance.now(), processorSeconds(), {}];
    last = { at: from, used: ownSeconds() };
  };
  restart();
  const timer = setInterval(() => {
    const now = { at: performance.now(), used: ownSeconds() };
    const idle = (now.at - last.at) / 1000 - (now.used - last.used);
    const what = waitedFor();
    waited[what] = (waited[what] ?? 0) + Math.max(0, idle);
    last = now;
  }, SAMPLE_MS).unref();
  return {
    restart,
    stop: () => {
      clearInterval(timer);
      return {
        seconds: (performance.now() - from) / 1000,
        processorSeconds: processorSeconds() - used,
        waited,
      };
    },
  };
}

/** Returns the processor seconds of this process without its children. */
function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Returns the lines of a file of times; none if no process wrote one. */
export function readTimes(path: string): readonly FileTime[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as FileTime);
  } catch {
    return [];
  }
}

/** A wait below this share of a file's time is not worth a word. */
const LEAST_SHARE = 0.1;

/** Returns a table of times, the longest file first. */
export function timesTable(times: readonly FileTime[], nameOf: (file: string) => string): readonly string[] {
  const rows = times.toSorted((one, other) => other.seconds - one.seconds);
  return [
    `${'seconds'.padStart(8)}${'processor'.padStart(11)}  file, and what it waited for`,
    ...rows.map(
      ({ file, seconds, processorSeconds: used, waited }) =>
        `${seconds.toFixed(1).padStart(8)}${used.toFixed(1).padStart(11)}  ${nameOf(file)}${waits(seconds, waited)}`,
    ),
  ];
}

function waits(seconds: number, waited: FileTime['waited']): string {
  const told = Object.entries(waited)
    .filter(([, time]) => time >= seconds * LEAST_SHARE)
    .toSorted(([, one], [, other]) => other - one)
    .map(([what, time]) => `${what} ${time.toFixed(1)}`);
  return told.length === 0 ? '' : `  (${told.join(', ')})`;
}

/** Returns how much of the cores this process and its ended children used since it started. */
export function coresUsed(): string {
  const cores = availableParallelism();
  const seconds = performance.now() / 1000;
  const share = processorSeconds() / (seconds * cores);
  return `${seconds.toFixed(0)} s, ${Math.round(share * 100)} % of ${cores} cores used`;
}
