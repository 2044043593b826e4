import assert from 'node:assert/strict';

/** Attachment of a failing test. */
export interface Attachment {
  readonly name: string;
  readonly body?: string;
}

/** The one result of a test in Playwright's JSON report. */
export interface Told {
  readonly errors: readonly {
    readonly message: string;
    readonly location?: { readonly file: string; readonly line: number };
  }[];
  readonly attachments: readonly Attachment[];
}

/** Reads the result of each test from Playwright's JSON report. */
export function testResults(stdout: string): readonly (Told & { readonly title: string })[] {
  interface Suite {
    readonly specs: readonly {
      readonly title: string;
      readonly tests: readonly { readonly results: readonly Told[] }[];
    }[];
    readonly suites?: readonly Suite[];
  }
  const walk = (suite: Suite): readonly (Told & { readonly title: string })[] => [
    ...suite.specs.flatMap(({ title, tests }) =>
      tests.flatMap(({ results }) => results.map((one) => ({ title, ...one }))),
    ),
    ...(suite.suites ?? []).flatMap(walk),
  ];
  const report = JSON.parse(stdout) as { readonly suites: readonly Suite[]; readonly errors: readonly unknown[] };
  assert.deepEqual(report.errors, []);
  return report.suites.flatMap(walk);
}
