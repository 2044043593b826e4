import type { FullConfig, Reporter, Suite, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import type { OwnProblem } from '../../log/record.js';
import { clean } from './test-failures.js';

/** Messages from the Playwright process of own suites to the run. */
export type OwnMessage =
  | {
      readonly kind: 'tests';
      readonly tests: readonly { readonly id: string; readonly file: string; readonly line: number }[];
    }
  | { readonly kind: 'problem'; readonly problem: OwnProblem };

/** Sends the run the list of tests, and errors other than their judgements. */
// Playwright requires a default export.
export default class ProblemsReporter implements Reporter {
  onBegin(_config: FullConfig, suite: Suite): void {
    const tests = suite.allTests().map(({ title, location: { file, line } }) => ({ id: title, file, line }));
    send({ kind: 'tests', tests });
  }

  onError(error: TestError): void {
    send({ kind: 'problem', problem: problemOf(error) });
  }

  onTestEnd({ title, location }: TestCase, { status, error }: TestResult): void {
    if (status === 'passed' || status === 'skipped' || status === 'interrupted') return;
    const { file, line } = location;
    const problem = error ? problemOf(error) : { message: status };
    const message = status === 'timedOut' ? `its test did not end: ${problem.message}` : problem.message;
    send({ kind: 'problem', problem: { file, line, ...problem, message, requirement: title } });
  }

  /** Hides output of tests: it is not a verdict. */
  printsToStdio(): boolean {
    return false;
  }
}

const send = (message: OwnMessage): void => void process.send?.(message);

function problemOf({ message = '', value, location }: TestError): OwnProblem {
  const text = clean(message || (value ?? ''));
  const [first = ''] = text.split('\n');
  // Babel writes the place only in the text.
  const [, file, line] = /^\w+: (\/[^\n:]+): .*\((\d+):\d+\)/.exec(first) ?? [];
  return {
    message: first.replace(/^(\w+: )\/[^\n:]+: (.*?)(?: \(\d+:\d+\))?$/, '$1$2'),
    ...(location
      ? { file: location.file, line: location.line }
      : file !== undefined && { file, line: Number(line) }),
  };
}
