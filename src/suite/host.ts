import type { RequirementId } from '../contract/types.js';
import { loadLedger } from '../contract/ledger.js';
import type { Judgement } from '../findings/finding.js';
import type { Fixture } from './fixture.js';
import { judgeRequirement, collect, isCollecting, type RequirementBody } from './judge-requirement.js';
import { obstacleTo } from '../probes/unjudgeable.js';
import type { HandReport } from './playwright-host.js';

type TestBody = (fixtures: { readonly fixture: Fixture; readonly hand: HandReport | null }) => Promise<void>;
type TestArguments = [title: string, details: { tag: string[] }, body: TestBody];

// Playwright takes a third of a second to load, and the second host has no use for it.
const playwright = isCollecting() ? null : await import('./playwright-host.js');

/** Requests, one after the other; what keeps one from being sent keeps no other. */
export type Asking = readonly ((fixture: Fixture) => Promise<unknown> | null)[];

/**
 * States a requirement: `test(...requirement(id, body))`. What it gives are the arguments of Playwright's `test`, which the
 * suite calls itself so that editors and the UI mode find the test where it stands. Throws for an id that the ledger
 * does not have.
 */
export function requirement(id: RequirementId, body: RequirementBody): TestArguments {
  const row = loadLedger().byId(id);
  collect(id, { row, body });
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
            // The line that judged is the one to look at: by hand a failure points there.
            if (hand) for (const { kind } of judgements) if (!places.has(kind)) places.set(kind, new Error(id));
            tools.judge(...judgements);
          },
        });
      const findings = await judgeRequirement(row, noted, fixture);
      await playwright?.reportToPlaywright(row, findings, hand, places.get('violated') ?? stated);
    },
  ];
}

/**
 * A row that is judged on every answer, as a test for suites that are started by hand: it fails where any answer so far
 * broke it. It asks for one of each kind of answer first, so that it can be run alone.
 */
export function everyAnswer(id: RequirementId, asking: Asking): TestArguments {
  const row = loadLedger().byId(id);
  const stated = new Error(id);
  return [
    id,
    { tag: [`@part-${row.part}`, `@${row.level}`] },
    async ({ fixture, hand }) => {
      if (!hand) return;
      for (const ask of asking) await obstacleTo(Promise.resolve(ask(fixture)));
      await playwright?.reportEveryAnswer(row, hand, stated);
    },
  ];
}

/** What answers showed of rows whose own tests were over by then, as a test for suites that are started by hand. */
export function laterAnswers(): TestArguments {
  const stated = new Error('later answers');
  return [
    'what later answers showed of rows that were judged before',
    { tag: ['@every-answer'] },
    async ({ hand }) => {
      if (hand) await playwright?.reportLater(hand, stated);
    },
  ];
}

/** Playwright's `test`, with what a row's test needs as its fixture; while cases are collected it does nothing, for there is no runner. */
export const test: (...args: TestArguments) => void = playwright?.test ?? (() => undefined);
