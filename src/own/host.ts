import { createRequire } from 'node:module';
import type * as Playwright from '@playwright/test';
import { ORDER_VARIABLE, OWN_VARIABLE } from '../suite/variables.js';
import type { Answer, Asked, Judgement } from './checks.js';
import type { OwnFixture } from './own-fixture.js';

/** What a test of one's own may know of the run. */
export interface Facts {
  readonly baseUrl: string;
  /** Eight hexadecimal digits; a name that holds them tells this run's animals from others. */
  readonly run: string;
  /** The plan whose key is used. */
  readonly plan: string;
  /** Whether animals may be created. */
  readonly writes: boolean;
  /** The day that is judged for, ISO date. */
  readonly asOf: string;
}

/** What a test of one's own works with. */
export interface Tools {
  /** Sends a request, waits out a limit that was not provoked, and writes both down. */
  readonly ask: (this: void, request: Asked) => Promise<Answer>;
  /** Records what was judged; may be called often. */
  readonly judge: (this: void, ...judgements: readonly Judgement[]) => void;
  readonly facts: Facts;
}

/** The judgement of one requirement. */
export type Body = (tools: Tools) => Promise<void> | void;

/** The arguments of `test`, as `requirement` gives them. */
export type Stated = [title: string, body: (fixtures: never) => Promise<void>];

type Hook = (body: () => Promise<void> | void) => void;

/** Playwright's `test`, as far as own suites are promised it. */
export interface Test {
  (...stated: Stated): void;
  readonly skip: (...stated: Stated) => void;
  readonly only: (...stated: Stated) => void;
  readonly describe: (title: string, body: () => void) => void;
  readonly beforeAll: Hook;
  readonly beforeEach: Hook;
  readonly afterEach: Hook;
  readonly afterAll: Hook;
  /** Time limit of the calling test, ms. */
  readonly setTimeout: (ms: number) => void;
}

/**
 * States a requirement of the ledger of own suites: `test(...requirement('own-id', async ({ ask, judge }) => ...))`.
 */
export const requirement = (id: string, body: Body): Stated => [
  id,
  async ({ own }: { readonly own: OwnFixture }) => own.judge(id, body),
];

/** Whether this process runs own suites. */
const isRunning = process.env[ORDER_VARIABLE] !== undefined && process.env[OWN_VARIABLE] !== undefined;

/** Playwright's `test`, where the kit runs own suites; whoever imports the package elsewhere has no use for Playwright. */
export const test: Test = isRunning ? playwrights() : nobodys();

function playwrights(): Test {
  const { test: base } = createRequire(import.meta.url)('@playwright/test') as typeof Playwright;
  return base.extend<object, { readonly own: OwnFixture }>({
    own: [
      // Playwright reads the names of the fixtures that this one needs from its first parameter; it needs none.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        const { openOwnFixture } = await import('./own-fixture.js');
        const own = openOwnFixture(process.env, () => base.info().errors);
        await use(await own);
        await (await own).close();
      },
      { scope: 'worker' },
    ],
  }) as unknown as Test;
}

function refuse(): never {
  throw new Error('Tests of own suites are run by: petstore-conformance run --suite FILE');
}

function nobodys(): Test {
  const names = ['skip', 'only', 'describe', 'beforeAll', 'beforeEach', 'afterEach', 'afterAll', 'setTimeout'];
  return Object.assign(() => refuse(), Object.fromEntries(names.map((name) => [name, refuse]))) as unknown as Test;
}
