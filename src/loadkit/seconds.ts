import { newHistogram, recordMs, sumOf } from '../log/histogram.js';
import { percentilesOfSecond, textsOfTimes, timesOfSecond, type SecondTimes } from './figures.js';
import { count, newTally, type Answered, type Dropped } from './meter.js';
import { subjectName, type Subject } from './subjects.js';

/** Counts and times of a run by second, across phases. */
export class Seconds {
  private readonly series = new Map<string, SecondTimes & { readonly subject: Subject; served: number }>();
  private now = newTally();
  private intended = 0;
  private late = 0;
  private full = 0;
  private lateMs = 0;
  private open = 0;

  /** @param isPart true if seconds of parts will be merged: percentiles cannot be */
  constructor(private readonly isPart = false) {}

  /** Notes a time of a subject, ms: a response to a step of a journey, or the end of a whole journey. */
  timed(subject: Subject, ms: number, isServed: boolean): void {
    const name = subjectName(subject);
    const own = this.series.get(name) ?? {
      subject,
      served: 0,
      latency: newHistogram(),
      failed: newHistogram(),
    };
    this.series.set(name, own);
    recordMs(own.latency, ms);
    if (isServed) own.served += 1;
    else recordMs(own.failed, ms);
  }

  sent(by: number): void {
    this.intended += 1;
    this.open += 1;
    this.now.sent += 1;
    if (by > this.lateMs) this.lateMs = by;
  }

  answered(answer: Answered): void {
    this.open -= 1;
    count(this.now, answer);
    this.now.violations += answer.reveals;
    const { operation, latencyMs, outcome } = answer;
    this.timed({ operation }, latencyMs, outcome === 'served');
  }

  /** Notes a sent request that will get no response and counts as no error. */
  lost(): void {
    this.open -= 1;
  }

  /** Takes back a departure, perhaps of an earlier second. */
  takenBack(): void {
    this.now.sent = Math.max(0, this.now.sent - 1);
  }

  /** Notes a departed request for which this machine could not connect. */
  exhausted(): void {
    this.open -= 1;
    this.late += 1;
  }

  dropped(why: Dropped): void {
    this.intended += 1;
    if (why === 'late') this.late += 1;
    else this.full += 1;
  }

  take() {
    const all = [...this.series.values()];
    // Requests of journeys count in their operations.
    const single = all.filter(({ subject }) => subject.journey === undefined);
    const times = {
      latency: sumOf(single.map(({ latency }) => latency)),
      failed: sumOf(single.map(({ failed }) => failed)),
    };
    const second = {
      ...this.now,
      intended: this.intended,
      dropped: this.late + this.full,
      droppedLate: this.late,
      /** Most delay of a sent request, ms. */
      lateMs: this.lateMs,
      ...percentilesOfSecond(times),
      ...(this.isPart && textsOfTimes(times)),
      operations: all.map((own) => ({
        ...own.subject,
        served: own.served,
        ...timesOfSecond(own, this.isPart),
      })),
    };
    this.now = newTally();
    for (const own of all) {
      own.served = 0;
      own.latency.reset();
      own.failed.reset();
    }
    [this.intended, this.late, this.full, this.lateMs] = [0, 0, 0, 0];
    return second;
  }

  underWay(): number {
    return this.open;
  }

  isEmpty(): boolean {
    return this.intended === 0 && this.now.sent === 0 && Object.keys(this.now.byStatus).length === 0;
  }
}
