import { refillIntervalMs } from '../../judge/limits/bounds.js';
import type { OperationName } from '../../base/interface/types.js';
import type { ProfileName } from '../../base/interface/names.js';
import { MOST_REFUSED, type Asked, type Part, type QuestionName } from '../../judge/limits/asked.js';
import { whenAllowed } from '../../judge/limits/when-allowed.js';
import { AskedRecord } from './asked-record.js';
import { MOST_OPEN, OUTAGE_MS, UNEVEN } from './question-numbers.js';
import { momentAfter } from './refusal-moments.js';
import type { KeySession, Sink } from '../load/key-session.js';
import type { Lab } from '../load/lab.js';
import { MOST_UNCERTAIN } from '../load/refusal-bound.js';
import { lastAnswerOf, leftOf, wasServed, type Sample } from '../../judge/limits/sample.js';

type Way = ReturnType<KeySession['fork']>;

interface Parallel {
  /** Requests that were left, as the response before them says. */
  readonly left?: number;
  /** Sees each response first. */
  readonly note?: (sample: Sample) => void;
  /** Requests left by count: far from the edge more may be open. */
  readonly far?: number;
  /** Most requests; as many as go by default. */
  readonly most?: number;
}

/** Ends the questions to a key: the next request might be one refusal too many, or the run was interrupted. */
export class Enough extends Error {
  override name = 'Enough';
}

/** Plays questions with one key: sends, waits, counts refusals, and keeps what was asked. It judges nothing. */
export class KeyPlayer {
  readonly record: AskedRecord;
  /** True if no more questions can be asked. */
  isDone = false;
  /** True if a window was too short to use up the allowance: other bursts would show no more. */
  isTooSlow = false;
  /** Requests that are open in a burst of this key, by its latency and plan. */
  width = 1;
  /** Requests that are open near the edge. */
  nearWidth = 1;
  /** Remaining that stood before a refusal: what it promised too much. */
  lies = 0;
  /** True if the latest response that was read has Remaining. */
  showsLeft = false;
  /** Refusals in a row that are kept for a request after a silence. */
  kept = 1;
  readonly session: KeySession;
  readonly lab: Lab;
  /** Profile under which the log records what is asked now. */
  profile: ProfileName = 'burst';
  private moment: number | null;
  private readonly idle: Way[] = [];
  private readonly ways: Way[] = [];

  /** @param moment place of its first timed refusal among the moments; null: it times none */
  constructor(session: KeySession, lab: Lab, moment: number | null = null) {
    this.session = session;
    this.lab = lab;
    this.moment = moment;
    this.record = new AskedRecord(session.figures);
  }

  get windowMs(): number {
    return this.session.figures.minuteSeconds * 1000;
  }

  /** Time in which the plan's rate brings one request, ms. */
  get intervalMs(): number {
    return refillIntervalMs(this.session.figures);
  }

  get limit(): number {
    return this.session.figures.perMinute;
  }

  async ask(question: QuestionName, part: Part, operation: OperationName = 'listPets'): Promise<Asked> {
    this.mustGoOn(part === 'lone' ? 0 : this.kept);
    const { sink, last } = this.keeping(question, part);
    await this.session.ask(operation, sink);
    return last();
  }

  /**
   * Sends one request over an idle connection, and waits for its response. The latest one is open still: a
   * run closes those that are idle longest.
   */
  async askPaced(sink: Sink, intendedAt: number): Promise<Sample> {
    this.mustGoOn();
    const way = this.idle.pop() ?? this.session.fork();
    if (!this.ways.includes(way)) this.ways.push(way);
    const sample = await way.ask('listPets', sink, intendedAt);
    this.idle.push(way);
    return sample;
  }

  async inParallel(
    question: QuestionName,
    part: Part,
    connections: number,
    goesOn: () => boolean,
    { note, far, most = Infinity, ...more }: Parallel = {},
  ): Promise<readonly Asked[]> {
    this.mustGoOn();
    const { sink, kept } = this.keeping(question, part, more);
    let sent = 0;
    const next = (): OperationName | null => {
      if (sent >= most || !goesOn()) return null;
      sent += 1;
      return 'listPets';
    };
    const stopsAt = (sample: Sample): boolean => {
      note?.(sample);
      return !goesOn();
    };
    const byCount = far === undefined ? {} : { byCount: () => far - sent };
    await this.session.inParallel(
      { connections: Math.min(connections, MOST_OPEN), next, stopsAt, ...byCount },
      sink,
    );
    return kept;
  }

  together(question: QuestionName, part: Part, count: number, left?: number): Promise<readonly Asked[]> {
    const most = Math.min(count, MOST_UNCERTAIN, Math.max(1, this.session.room()));
    return this.inParallel(question, part, most, () => true, { most, ...(left !== undefined && { left }) });
  }

  async pause(at: number, what: string): Promise<void> {
    if (!(await this.lab.pause(at, what))) throw new Enough();
  }

  /** Waits until a time that a refusal named, or in which a server without a response may come back. */
  pauseAfter(refused: Sample | undefined, at: number): Promise<void> {
    const what = refused?.status === 0 ? 'a response of the server' : 'Retry-After';
    return this.pause(at, `${what} on the ${this.session.key} plan`);
  }

  /** Waits, within a second, for the moment of a refusal; the next time for another one. */
  async untilMoment(began: number): Promise<void> {
    if (this.moment === null) return;
    const at = momentAfter(this.lab.now(), began, this.moment, this.session.figures);
    this.moment += 1;
    if (!(await this.lab.sleepUntil(at, this.lab.signal))) throw new Enough();
  }

  allowedAt(refusal: Sample): number {
    if (refusal.status === 0) return refusal.answeredAt + Math.min(this.windowMs, OUTAGE_MS);
    // A client that was refused in spite of its waits has no reason to believe the next one.
    return this.session.refused() > MOST_REFUSED / 2
      ? refusal.answeredAt + this.windowMs + (this.session.refused() * this.intervalMs) / UNEVEN
      : whenAllowed(refusal, this.session.figures, this.lab.clock());
  }

  /** Returns how many requests are left by a response; by count if it does not say. */
  leftBy(sample: Sample, served: number): number {
    const left = leftOf(sample, this.session.figures);
    this.showsLeft = left !== null;
    return left ?? this.limit - served;
  }

  /**
   * Waits until this key was silent for a window, and its last refusal is over.
   *
   * @param earlier requests of the run's earlier phases with this key
   */
  async silence(why: string, earlier: readonly Sample[]): Promise<void> {
    const latest = lastAnswerOf([...earlier, ...this.session.samples()]);
    const last = this.record.last();
    const until = last !== undefined && !wasServed(last) && last.status !== 0 ? this.allowedAt(last) : 0;
    await this.pause(Math.max(latest + this.windowMs, until), why);
  }

  async close(): Promise<void> {
    await Promise.all(this.ways.map((way) => way.close()));
  }

  keeping(question: QuestionName, part: Part, more: Pick<Asked, 'left'> = {}) {
    const kept: Asked[] = [];
    const sink: Sink = {
      profile: this.profile,
      // A literal that begins with a spread takes V8 ten times as long.
      take: (sample) => void kept.push(this.record.keep({ question, part, ...more, ...sample }, sample)),
      isPassive: () => this.record.isPassive(part),
    };
    const last = (): Asked => {
      const asked = kept.at(-1);
      if (asked === undefined) throw new Enough();
      return asked;
    };
    return { sink, kept, last };
  }

  private mustGoOn(kept = this.kept): void {
    if (this.lab.signal.aborted || this.session.unserved() >= MOST_REFUSED - kept) throw new Enough();
  }
}
