import { now } from '../exchange/connection.js';
import type { Journal } from '../log/journal.js';
import type { Report } from './drive-key.js';
import type { KeyLine } from './key-line.js';
import { recordOutcome, recordSeries } from './recorder.js';

/** Writes down what one key sends. */
export interface Reporter {
  readonly report: Report;
  /** Writes what no profile came to tell of, because the run ended before. */
  readonly rest: () => void;
}

/** A reporter that writes with each profile all that its key has sent since the one before, so that each request counts once. */
export function reporterOf(line: KeyLine, journal: Journal): Reporter {
  let told = 0;
  const report: Report = (profile, startedAt, sentence, marks = []) => {
    const samples = line.samples().slice(told);
    told = line.samples().length;
    recordSeries(journal, profile, line.key, samples);
    recordOutcome(journal, {
      profile,
      key: line.key,
      figures: line.figures,
      startedAt,
      finishedAt: now(),
      sent: samples.length,
      samples,
      sentence,
      marks,
    });
  };
  return {
    report,
    rest: () => {
      const [first] = line.samples().slice(told);
      if (first !== undefined) report('burst', first.sentAt, 'Ended before it came to a result.');
    },
  };
}
