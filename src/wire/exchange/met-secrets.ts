import { HIDDEN, type OnHidden } from './secret-texts.js';
import { writtenForms } from './written-forms.js';

/** Shortest text that is removed: shorter ones are words that a program prints for other reasons. */
const SHORTEST = 8;
/** Most texts that are remembered: a client may have another session for each request. */
const MOST = 1000;

/** Between a secret and what stands beside it: the name of a cookie, a scheme, marks of JSON. */
const BETWEEN = /[^\w\-.~+/%]+/;

/**
 * Secrets that traffic names in headers, queries and bodies, to be removed where a program prints them: there
 * nothing names them.
 */
export class MetSecrets {
  private readonly texts = new Set<string>();

  readonly meet: OnHidden = (_, value) => {
    if (value.includes(HIDDEN)) return;
    for (const text of value.split(BETWEEN))
      if (text.length >= SHORTEST && this.texts.size < MOST) this.texts.add(text);
  };

  hiddenIn(text: string): string {
    // One may be the beginning of another.
    const longestFirst = [...this.texts]
      .flatMap(writtenForms)
      .toSorted((one, other) => other.length - one.length);
    return longestFirst.reduce((rest, each) => rest.replaceAll(each, HIDDEN), text);
  }
}
