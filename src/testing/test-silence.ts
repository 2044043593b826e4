import { secondsOf } from './test-files.js';
import { kill, killWorkersOf, pidIn } from './test-kill.js';

/** Ends a process of test files in which no test begins or ends any more. */

/** Silence of any file, ms: twice `LONGEST_WAIT_MS`, so that a test fails by itself first. */
const SILENT_MS = 6 * 60_000;
/** A test may be nearly all of its file, and the slowest machine takes 2.6 times the seconds of a listed one. */
const SLOWNESS = 3;
/** Time for tests to fail after the end of what they wait for, ms: they show what that printed. */
const FAILING_MS = 10_000;

/** Returns the longest time in which no test of a file begins or ends, ms. */
export const silentMsOf = (file: string): number => SILENT_MS + SLOWNESS * secondsOf(file) * 1000;

/** A test or suite, as `node:test` reports it. */
interface Reported {
  readonly name: string;
  readonly nesting: number;
}

interface SilenceOptions {
  /** File with the id of the process, once it runs. */
  readonly pidFile: string;
  /** Files of the process, which are its outermost suites. */
  readonly files: readonly string[];
  readonly silentMsOf: (file: string) => number;
  /** Takes the running file and what to say, before the process ends. */
  readonly onSilent: (file: string | undefined, text: string) => void;
}

/** Watches one process of test files. */
export class SilenceWatch implements Disposable {
  private readonly options: SilenceOptions;
  private running: readonly Reported[] = [];
  private timer: NodeJS.Timeout;

  constructor(options: SilenceOptions) {
    this.options = options;
    this.timer = this.wait();
  }

  /** Notes that a test begins. */
  begins({ name, nesting }: Reported): void {
    this.running = [...this.running, { name, nesting }];
    this.restart();
  }

  ends({ name, nesting }: Reported): void {
    const at = this.running.findLastIndex((test) => test.name === name && test.nesting === nesting);
    this.running = this.running.filter((_, index) => index !== at);
    this.restart();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer);
  }

  private get file(): string | undefined {
    return this.running.find(({ name }) => this.options.files.includes(name))?.name;
  }

  private restart(): void {
    clearTimeout(this.timer);
    this.timer = this.wait();
  }

  private wait(): NodeJS.Timeout {
    const { file } = this;
    const ms = file === undefined ? SILENT_MS : this.options.silentMsOf(file);
    return setTimeout(() => this.end(ms), ms);
  }

  private end(silentMs: number): void {
    const { pidFile, files, onSilent } = this.options;
    const names = this.running
      .filter(({ name, nesting }) => nesting > 0 && !files.includes(name))
      .map(({ name, nesting }) => `${'  '.repeat(nesting)}${name}`);
    const what =
      names.length === 0
        ? 'none ran: it loaded its files, or could not end'
        : `these ran:\n${names.join('\n')}`;
    onSilent(this.file, `✗ no test began or ended for ${silentMs / 1000} s; ${what}\n`);
    const pid = pidIn(pidFile);
    if (pid === undefined) return;
    killWorkersOf(pid);
    this.timer = setTimeout(() => kill(pid), FAILING_MS);
  }
}
