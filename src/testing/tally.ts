/** What `run` of node:test reports about a test, as far as it is counted here. */
export interface TestEvent {
  readonly type: string;
  readonly data: {
    readonly name?: string;
    readonly file?: string;
    readonly nesting?: number;
    readonly skip?: string | boolean;
    readonly todo?: string | boolean;
    readonly message?: string;
    readonly details?: {
      readonly type?: string;
      readonly duration_ms?: number;
      readonly error?: Error & { readonly failureType?: string };
    };
  };
}

/** A test that failed, and why. */
export interface Failure {
  readonly name: string;
  readonly error: unknown;
}

/** What became of one file of tests. */
export interface FileTally {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Of its top-level tests. */
  readonly durationMs: number;
  readonly failures: readonly Failure[];
  /** What it printed. */
  readonly output: string;
}

/** A file of which nothing is known yet. */
export const emptyTally = (file: string): FileTally => ({
  file,
  passed: 0,
  failed: 0,
  skipped: 0,
  durationMs: 0,
  failures: [],
  output: '',
});

/**
 * Adds an event to its file's tally. Suites are not counted, their tests are; a test that failed because a test within it
 * did is not counted a second time; one that is still to be written counts as skipped.
 */
export function addEvent(tally: FileTally, { type, data }: TestEvent): FileTally {
  if (type === 'test:stdout' || type === 'test:stderr')
    return { ...tally, output: tally.output + (data.message ?? '') };
  if (type !== 'test:pass' && type !== 'test:fail') return tally;
  // node:test reports a file that ran no test, and one that broke outside its tests, as a test with the file's name.
  if (data.name === tally.file)
    return type === 'test:fail'
      ? failed(tally, 'outside any test', data.details?.error)
      : failed(tally, 'no test', new Error('the file holds no test'));
  const timed =
    data.nesting === 0 ? { ...tally, durationMs: tally.durationMs + (data.details?.duration_ms ?? 0) } : tally;
  const becauseOfInner = data.details?.error?.failureType === 'subtestsFailed';
  if (isGiven(data.skip) || isGiven(data.todo)) return { ...timed, skipped: timed.skipped + 1 };
  if (type === 'test:fail') return becauseOfInner ? timed : failed(timed, data.name ?? '', data.details?.error);
  return data.details?.type === 'suite' ? timed : { ...timed, passed: timed.passed + 1 };
}

const isGiven = (mark: string | boolean | undefined): boolean => mark !== undefined && mark !== false;

const failed = (tally: FileTally, name: string, error: unknown): FileTally => ({
  ...tally,
  failed: tally.failed + 1,
  failures: [...tally.failures, { name, error }],
});

/** The closing line, which other programs read. */
export const closingLine = (tallies: readonly FileTally[]): string => {
  const sum = (count: (tally: FileTally) => number) => tallies.reduce((total, tally) => total + count(tally), 0);
  return `${sum(({ passed }) => passed)} passed, ${sum(({ failed: count }) => count)} failed, ${sum(({ skipped }) => skipped)} skipped`;
};

/** 0 when tests ran and none failed. */
export const exitCodeOf = (tallies: readonly FileTally[]): number =>
  tallies.some(({ passed }) => passed > 0) && tallies.every(({ failed: count }) => count === 0) ? 0 : 1;
