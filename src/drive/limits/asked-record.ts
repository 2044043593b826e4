import type { Asked, Part, QuestionName } from '../../judge/limits/asked.js';
import { minuteMs, type Figures } from '../../judge/limits/bounds.js';
import { leftOf, wasServed, type Sample } from '../../judge/limits/sample.js';

/** Requests where the limit may be used up: its own rows judge what comes in place of a 429. */
const AT_THE_LIMIT: ReadonlySet<Part> = new Set<Part>(['together', 'probe', 'return']);

/** What a key was asked, in order of the answers. */
export class AskedRecord {
  readonly asked: Asked[] = [];
  /** The session's samples of what was asked. */
  readonly originals: Sample[] = [];
  private before: Sample | undefined;
  /** Remaining of the response before that one; null if it has none. */
  private leftBefore: number | null = null;
  /** When the latest responses in a row came that allowed a request. */
  private servedAt: number[] = [];
  private readonly figures: Figures;

  constructor(figures: Figures) {
    this.figures = figures;
  }

  keep(asked: Asked, original: Sample): Asked {
    this.asked.push(asked);
    this.originals.push(original);
    this.leftBefore = this.before === undefined ? null : leftOf(this.before, this.figures);
    this.before = original;
    if (wasServed(original)) this.servedAt.push(original.answeredAt);
    else this.servedAt = [];
    return asked;
  }

  /** Takes an earlier request of the run as the first one of a question. */
  adopt(question: QuestionName, sample: Sample): Asked {
    const asked: Asked = { ...sample, question, part: 'lone' };
    this.asked.push(asked);
    this.originals.push(sample);
    return asked;
  }

  /** Leaves out what was asked so far: the key was in use. */
  forget(): void {
    this.asked.length = 0;
    this.originals.length = 0;
  }

  last(): Asked | undefined {
    return this.asked.at(-1);
  }

  /** Is true if the passive checks judge the next response: past the limit other requirements do. */
  isPassive(part: Part): boolean {
    const { before, figures } = this;
    if (AT_THE_LIMIT.has(part)) return false;
    if (before === undefined) return true;
    const left = leftOf(before, figures);
    if (!wasServed(before) || left === 0) return false;
    if (left !== null && left !== this.leftBefore) return true;
    // Without Remaining, or where it stands still, the number decides. An even pace never uses up a window.
    const since = before.answeredAt - minuteMs(figures);
    const first = this.servedAt.findIndex((at) => at > since);
    if (first > 0) this.servedAt = this.servedAt.slice(first);
    return this.servedAt.length < figures.perMinute;
  }
}
