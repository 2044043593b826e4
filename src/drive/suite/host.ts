import type { RequirementId } from '../../base/interface/types.js';
import { loadLedger } from '../../base/interface/ledger.js';
import type { Judgement } from '../../judge/findings/finding.js';
import type { Fixture } from './fixture.js';
import { loadedSuites } from './loaded-suites.js';
import type { RequirementBody } from './judge-requirement.js';
import type { HandReport } from './worker-fixture.js';

type TestBody = (fixtures: { readonly fixture: Fixture; readonly hand: HandReport | null }) => Promise<void>;
type TestArguments = [title: string, details: { tag: string[] }, body: TestBody];

// Playwright takes a third of a second to load, and the second host does not need it.
const playwright = loadedSuites.isPlain ? null : await import('./playwright-host.js');

/** Loaded by the first test: the process that lists the tests judges none. */
const judging = () => import('./judge-requirement.js');
const reports = () => import('./playwright-reports.js');

/** Requests, one at a time; one that cannot be sent does not affect the others. */
export type Asking = readonly ((fixture: Fixture) => Promise<unknown> | null)[];

/**
 * States a requirement: `test(...requirement(id, body))`. Returns the arguments of Playwright's `test`. The
 * suite calls `test` itself, so editors and the UI mode find the place of the test. Throws for an unknown
 * id.
 */
export function requirement(id: RequirementId, body: RequirementBody): TestArguments {
  const row = loadLedger().byId(id);
  loadedSuites.cases.set(id, { row, body });
  const stated = new Error(id);
  return [
    id,
    { tag: [`@part-${row.part}`, `@${row.level}`] },
    async ({ fixture, hand }) => {
      const places = new Map<Judgement['kind'], Error>();
      const noted: RequirementBody = (tools) =>
        body({
          ...tools,
          judge: (...judgements) => {
            // Without `run`, a failure points to the line of the judgement.
            if (hand)
              for (const { kind } of judgements) if (!places.has(kind)) places.set(kind, new Error(id));
            tools.judge(...judgements);
          },
        });
      const { judgeRequirement } = await judging();
      const findings = await judgeRequirement(row, noted, fixture);
      const { reportToPlaywright } = await reports();
      await reportToPlaywright(row, findings, hand, places.get('violated') ?? stated);
    },
  ];
}

/**
 * Makes a test of a row that judges every response, for suites started without `run`: it fails if any
 * response so far violates it. First it requests one response of each kind, so it can run by itself.
 */
export function everyAnswer(id: RequirementId, asking: Asking): TestArguments {
  const row = loadLedger().byId(id);
  const stated = new Error(id);
  return [
    id,
    { tag: [`@part-${row.part}`, `@${row.level}`] },
    async ({ fixture, hand }) => {
      if (!hand) return;
      const { obstacleTo } = await import('../probes/unjudgeable.js');
      for (const ask of asking) await obstacleTo(Promise.resolve(ask(fixture)));
      const { reportEveryAnswer } = await reports();
      await reportEveryAnswer(row, hand, stated);
    },
  ];
}

/** Makes a test of late violations, after their rows' tests, for suites started without `run`. */
export function laterAnswers(): TestArguments {
  const stated = new Error('later responses');
  return [
    'later responses for rows that were judged before',
    { tag: ['@every-answer'] },
    async ({ hand }) => {
      if (hand) await (await reports()).reportLater(hand, stated);
    },
  ];
}

/** Playwright's `test` with the fixture of a row's test; does nothing in the second host, which has no runner. */
export const test: (...args: TestArguments) => void = playwright?.test ?? (() => undefined);
