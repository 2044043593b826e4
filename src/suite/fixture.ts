import type { Judgement } from '../findings/finding.js';
import type { Judging } from '../checks/layers.js';
import type { PlanName } from '../contract/types.js';
import { hasLookAlike, swapCase } from '../exchange/key-forms.js';
import type { Redact } from '../exchange/redact.js';
import type { Exchange } from '../exchange/types.js';
import type { RequestSpec, Sender } from '../exchange/sender.js';
import { rateFactsOf, type TargetFigures } from '../checks/rate-headers.js';
import type { Journal } from '../log/journal.js';
import { createCourier, mostRequests } from '../probes/courier.js';
import { bearer, type Identity } from '../probes/credentials.js';
import { createProbes, type Probes } from '../probes/probes.js';
import { declared, listing } from '../probes/specs.js';
import type { RemovalPhase } from '../contract/removal-phase.js';

/** Facts about the run for a requirement, in addition to its probes. */
export interface RunFacts {
  readonly baseUrl: string;
  readonly removal: RemovalPhase;
  /** Planned removal day of the deprecated operation, and the day for which the run judges; ISO dates. */
  readonly removalDate: string;
  readonly asOf: string;
  /** True if the run's key has letters, so its case can change. */
  readonly keyHasLetters: boolean;
  /** True if a key can be made that resembles the run's and certainly was never issued. */
  readonly keyHasLookAlike: boolean;
}

/** Inputs of a requirement's body. */
export interface Fixture {
  readonly probes: Probes;
  readonly facts: RunFacts;
  readonly judging: Judging;
  readonly journal: Journal;
  /** For target texts shown before they reach the journal. */
  readonly redact: Redact;
}

/** Records judgements; may be called often. */
export type Judge = (...judgements: readonly Judgement[]) => void;

export interface FixtureOptions {
  readonly sender: Sender;
  readonly journal: Journal;
  readonly judging: Judging;
  readonly run: string;
  readonly plan: PlanName;
  /** In clear; only for the sender. */
  readonly key: string;
  readonly writes: boolean;
  readonly exclusive: boolean;
  readonly baseUrl: string;
  readonly figures: TargetFigures;
  readonly removal: RemovalPhase;
  readonly asOf: string;
  /** Exchanges that the run already has in its log. */
  readonly known: readonly Exchange[];
  /** For shown findings, with all keys of the target. */
  readonly redact: Redact;
  /** Interrupts pauses. */
  readonly signal?: AbortSignal | undefined;
}

/** Creates probes from a sender and a journal, equally for every host. */
export function createFixture({
  sender,
  journal,
  judging,
  run,
  plan,
  key,
  writes,
  exclusive,
  baseUrl,
  figures,
  removal,
  asOf,
  known,
  redact,
  signal,
}: FixtureOptions): Fixture {
  const passive = { ...judging, rates: rateFactsOf(figures) };
  const most = mostRequests(figures.plan.perMinute);
  const courier = createCourier({
    sender,
    journal,
    passive,
    key,
    windowMs: figures.windows.minute * 1000,
    most,
    known,
    control: controlWith(bearer(plan)),
    signal,
  });
  const probes = createProbes({ courier, judging, run, plan, most, writes, exclusive });
  const { removalDate } = judging.contract;
  const facts = {
    baseUrl,
    removal,
    removalDate,
    asOf,
    keyHasLetters: swapCase(key) !== key,
    keyHasLookAlike: hasLookAlike(key),
  };
  return { probes, judging, journal, facts, redact };
}

/** Smallest listing under its own name, so the suites' memory of theirs stays. */
const controlWith = (key: Identity): RequestSpec => ({
  ...listing({ limit: 1 }, key, declared(200)),
  probe: 'GET /pets?limit=1, after a refusal',
});
