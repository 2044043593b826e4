import { surplusFinding } from '../checks/passive.js';
import { redactor } from '../exchange/redact.js';
import { createSender } from '../exchange/sender.js';
import type { Journal } from '../log/journal.js';
import type { Obstacle } from '../log/record.js';
import { createFixture } from '../suite/fixture.js';
import { kit } from '../contract/package-root.js';
import { judging } from '../suite/worker-fixture.js';
import { planOf } from '../targets/target.js';
import { keysOf, type ExecuteOptions } from './execute-options.js';
import { preflight, type PreflightResult } from './preflight.js';

/** What a first look needs. */
export type LookOptions = Pick<ExecuteOptions, 'request' | 'removal' | 'estimate' | 'signal'>;

/** Has a first look at the target, before anything is judged; gives what stands in the way of a run, or null. */
export async function preflightPhase(options: LookOptions, journal: Journal): Promise<Obstacle | null> {
  journal.append({ type: 'phase', phase: 'preflight', at: Date.now() });
  const result = await look(options, journal);
  if (!result.ok) return result.obstacle;
  journal.append({ type: 'preflight', facts: result.facts });
  return null;
}

/** The first look by itself, with the suites' key. */
export async function look(
  { request, removal, estimate, signal }: LookOptions,
  journal: Journal,
): Promise<PreflightResult> {
  const { target } = request;
  const sender = createSender({
    baseUrl: target.baseUrl,
    run: request.run,
    kit: kit(),
    limits: { ...target.http, signal },
    onSurplus: (after) => journal.append({ type: 'finding', finding: surplusFinding(after) }),
  });
  const fixture = createFixture({
    sender,
    journal,
    judging: judging(),
    run: request.run,
    plan: target.suiteKey,
    key: keysOf(request)[0] ?? '',
    writes: request.writes,
    exclusive: request.target.exclusive,
    baseUrl: target.baseUrl,
    figures: { plan: planOf(target, target.suiteKey), windows: target.windows },
    removal,
    asOf: request.asOf,
    known: [],
    redact: redactor(keysOf(request)),
    signal,
  });
  try {
    const result = await preflight(fixture, target, estimate);
    // Over before what runs the suites has started.
    await sender.settled();
    return result;
  } finally {
    await sender.close();
  }
}
