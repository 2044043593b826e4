import type { Asked, Part, QuestionName } from '../../judge/limits/asked.js';
import type { Figures } from '../../judge/limits/bounds.js';
import { leftOf } from '../../judge/limits/left.js';
import { wasServed, type Sample } from '../../judge/limits/sample.js';

/** Requests where the limit may be used up: its own rows judge what comes in place of a 429. */
const AT_THE_LIMIT: ReadonlySet<Part> = new Set<Part>(['together', 'probe', 'return']);

/** What a key was asked, in order of the answers. */
export class AskedRecord {
  readonly asked: Asked[] = [];
  /** The session's samples of what was asked. */
  readonly originals: Sample[] = [];
  private before: Sample | undefined;
  private servedInARow = 0;
  private readonly figures: Figures;

  constructor(figures: Figures) {
    this.figures = figures;
  }

  /** Keeps a request with its response. */
  keep(asked: Asked, original: Sample): Asked {
    this.asked.push(asked);
    this.originals.push(original);
    this.before = original;
    this.servedInARow = wasServed(original) ? this.servedInARow + 1 : 0;
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

  /** Returns the latest response; undefined before any. */
  last(): Asked | undefined {
    return this.asked.at(-1);
  }

  /** Is true if the passive checks judge the next response: past the limit other requirements do. */
  isPassive(part: Part): boolean {
    const { before } = this;
    return (
      !AT_THE_LIMIT.has(part) &&
      (before === undefined ||
        (wasServed(before) &&
          leftOf(before, this.figures) !== 0 &&
          this.servedInARow < this.figures.perMinute))
    );
  }
}
