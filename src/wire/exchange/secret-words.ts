import { isSecretName } from './secret-names.js';
import { hiddenInBody, hiddenValue } from './secret-texts.js';

/** Returns the words of a command with its secrets hidden: `--token X`, `password=X`, `-H 'Cookie: X'`. */
export const hiddenInWords = (words: readonly string[]): readonly string[] =>
  words.map((word, at) => {
    const option = /^--?([\w-]+)$/.exec(words[at - 1] ?? '')?.[1];
    const isValue = option !== undefined && isSecretName(option) && !word.startsWith('-');
    return isValue ? hiddenValue(option, word, () => undefined) : hiddenInBody(word, () => undefined);
  });
