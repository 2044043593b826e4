import { createRequire } from 'node:module';
import type * as Playwright from '@playwright/test';
import { orderOfRun, type WorkerOrder } from '../suite/variables.js';
import type { Answer, Asked, Judgement } from './checks.js';
import type { OwnFixture } from './own-fixture.js';

/** Facts about the run for a test. */
export interface Facts {
  readonly baseUrl: string;
  /** Eight hexadecimal digits; a name that contains them identifies this run's animals. */
  readonly run: string;
  /** Plan of the key in use. */
  readonly plan: string;
  /** True if the run may create animals. */
  readonly writes: boolean;
  /** Day for which the run judges, ISO date. */
  readonly asOf: string;
}

/** Inputs of a test. */
export interface Tools {
  /** Sends a request, waits out an unexpected rate limit, and records both. */
  readonly ask: (this: void, request: Asked) => Promise<Answer>;
  /** Records judgements; may be called often. */
  readonly judge: (this: void, ...judgements: readonly Judgement[]) => void;
  readonly facts: Facts;
}

/** Test of one requirement. */
export type Body = (tools: Tools) => Promise<void> | void;
/** Arguments of `test`, as `requirement` returns them. */
export type Stated = [title: string, body: (fixtures: never) => Promise<void>];
type Hook = (body: () => Promise<void> | void) => void;

/** Part of Playwright's `test` that own suites may use. */
export interface Test {
  (...stated: Stated): void;
  readonly skip: {
    (...stated: Stated): void;
    /** Skips the test that calls it; with a condition only where that holds. */
    (condition?: boolean, reason?: string): void;
  };
  readonly only: (...stated: Stated) => void;
  readonly describe: (title: string, body: () => void) => void;
  readonly beforeAll: Hook;
  readonly beforeEach: Hook;
  readonly afterEach: Hook;
  readonly afterAll: Hook;
  /** Time limit of the calling test, ms. */
  readonly setTimeout: (ms: number) => void;
}

/** States a requirement of the own ledger: `test(...requirement('own-id', async ({ ask, judge }) => ...))`. */
export const requirement = (id: string, body: Body): Stated => [
  id,
  async ({ own }: { readonly own: OwnFixture }) => own.judge(id, body),
];

const order = orderOfRun();
/** Playwright's `test` while the kit runs own suites; elsewhere an import of the package needs no Playwright. */
export const test: Test = order?.own ? playwrights(order) : nobodys();

function playwrights(running: WorkerOrder): Test {
  const { test: base } = createRequire(import.meta.url)('@playwright/test') as typeof Playwright;
  return base.extend<object, { readonly own: OwnFixture }>({
    own: [
      // Playwright reads the fixtures that this one needs from its first parameter; it needs none.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        const { openOwnFixture } = await import('./own-fixture.js');
        const own = openOwnFixture(running, () => base.info());
        await use(await own);
        await (await own).close();
      },
      { scope: 'worker' },
    ],
  }) as unknown as Test;
}

function refuse(): never {
  throw new Error('Run tests of own suites with: npx petstore-conformance run --suite FILE');
}

function nobodys(): Test {
  const names = [
    'skip',
    'only',
    'describe',
    'beforeAll',
    'beforeEach',
    'afterEach',
    'afterAll',
    'setTimeout',
  ];
  return Object.assign(
    () => refuse(),
    Object.fromEntries(names.map((name) => [name, refuse])),
  ) as unknown as Test;
}
