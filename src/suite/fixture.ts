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
  /** The day on which the deprecated operation is to go, and the day that it is judged for; ISO dates. */
  readonly removalDate: string;
  readonly asOf: string;
  /** Whether the run's key has letters, whose case can be changed. */
  readonly keyHasLetters: boolean;
  /** Whether another key can be made that looks like the run's own and was certainly never issued. */
  readonly keyHasLookAlike: boolean;
}

/** Inputs of a requirement's body. */
export interface Fixture {
  readonly probes: Probes;
  readonly facts: RunFacts;
  readonly judging: Judging;
  readonly journal: Journal;
  /** For whatever of the target's words is shown before it has passed the journal. */
  readonly redact: Redact;
}

/** Records what was judged; may be called often. */
export type Judge = (...judgements: readonly Judgement[]) => void;

/** Options of a fixture. */
export interface FixtureOptions {
  readonly sender: Sender;
  readonly journal: Journal;
  readonly judging: Judging;
  readonly run: string;
  readonly plan: PlanName;
  /** In clear; goes to the sender and nowhere else. */
  readonly key: string;
  readonly writes: boolean;
  readonly exclusive: boolean;
  readonly baseUrl: string;
  readonly figures: TargetFigures;
  readonly removal: RemovalPhase;
  readonly asOf: string;
  /** Facts that the run already has from its log. */
  readonly known: readonly Exchange[];
  /** For what is shown of a finding, with all keys of the target. */
  readonly redact: Redact;
  /** Breaks off pauses. */
  readonly signal?: AbortSignal | undefined;
}

/** Sets up probes over a sender and a journal, the same way for every host. */
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

/** The smallest listing, by a name of its own: what suites remember of theirs is left as it was. */
const controlWith = (key: Identity): RequestSpec => ({
  ...listing({ limit: 1 }, key, declared(200)),
  probe: 'GET /pets?limit=1, after a refusal',
});
