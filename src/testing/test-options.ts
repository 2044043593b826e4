/** What the words of the test runner choose. */
export interface TestOptions {
  /** `--unit`: only unit tests. */
  readonly onlyUnits: boolean;
  /** `--proofs`: only the proofs, which are otherwise left out. */
  readonly onlyProofs: boolean;
  /** `--every`: the proofs too, after the tests. */
  readonly withProofs: boolean;
  /** `--times`: a table with the time of each file, and what it waited for. */
  readonly showsTimes: boolean;
  /** `--bail`, and where `CI` is set: a failure ends the run, so that its name stands in the last lines. */
  readonly endsAtFailure: boolean;
  /** `--repeat N`: all of it N times; lists what failed ever. */
  readonly repeat: number;
  /** `--busy N`: next to N processes that keep a core busy each. */
  readonly busy: number;
  /** `--with=lint,deadcode`: these npm scripts run too. */
  readonly scripts: readonly string[];
  /** Parts of paths: only these files, of any kind. */
  readonly words: readonly string[];
}

const WITH = '--with=';
const FLAGS = ['--unit', '--proofs', '--every', '--times', '--bail'];
const NUMBERS = ['--repeat', '--busy'];

/** All options of the test runner, for what holds documents against them. */
export const TEST_OPTIONS = [...FLAGS, ...NUMBERS];

/** Parses the words of the test runner. Throws for an unknown option or a number that is none. */
export function testOptions(given: readonly string[], env = process.env): TestOptions {
  const numbers = new Map<string, number>();
  const words: string[] = [];
  const scripts: string[] = [];
  const flags = new Set<string>();
  for (let at = 0; at < given.length; at++) {
    const word = given[at] ?? '';
    if (FLAGS.includes(word)) flags.add(word);
    else if (word.startsWith(WITH)) scripts.push(...word.slice(WITH.length).split(','));
    else if (NUMBERS.includes(word)) {
      at += 1;
      const number = Number(given[at]);
      if (!Number.isInteger(number) || number < 0) throw new Error(`${word} needs a whole number`);
      numbers.set(word, number);
    } else if (word.startsWith('--')) throw new Error(`unknown option ${word}`);
    else words.push(word);
  }
  return {
    onlyUnits: flags.has('--unit'),
    onlyProofs: flags.has('--proofs'),
    withProofs: flags.has('--every'),
    showsTimes: flags.has('--times'),
    endsAtFailure: flags.has('--bail') || Boolean(env['CI']),
    repeat: numbers.get('--repeat') ?? 1,
    busy: numbers.get('--busy') ?? 0,
    scripts,
    words,
  };
}

/** Returns the words without those that repeat the tests: what one repetition is started with. */
export function wordsOfOne(given: readonly string[]): readonly string[] {
  return given.filter((word, at) => !NUMBERS.includes(word) && !NUMBERS.includes(given[at - 1] ?? ''));
}
