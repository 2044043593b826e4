import * as fc from 'fast-check';
import { anyText } from '../base/kernel/any-text.test.support.js';
import { exampleLog, exampleResults, HOSTILE, observed, violated } from './example-run.test.support.js';
import { compareResults } from '../outcome/acceptance/compare.js';

export const comparison = compareResults(
  exampleResults({ findings: [observed('list-order', 'by id')] }),
  exampleResults({ findings: [violated('list-ok'), observed('list-order', 'random')] }),
);

/** Returns a comparison in which one text replaces everything that a target or user can choose. */
export function hostile(text: string) {
  const { target } = exampleLog().header;
  return compareResults(
    exampleResults({ findings: [observed('list-order', 'by id', text)] }),
    exampleResults({
      header: { target: { ...target, name: text } },
      findings: [observed('list-order', text, text)],
    }),
  );
}

export const texts = fc.oneof(fc.constantFrom(...HOSTILE), anyText());

export const labelled = (label: string) => exampleResults({ header: { label } });

export const at = (day: number) => ({ startedAt: `2026-11-0${day}T03:00:00.000Z` });
