import { randomBytes } from 'node:crypto';
import type { Judgement } from '../../judge/findings/finding.js';
import { surplusFinding } from '../../judge/checks/passive.js';
import { judging } from '../../judge/checks/judging.js';
import { now } from '../../wire/exchange/connection.js';
import { addressChanges, changeWords } from '../../wire/exchange/host-address.js';
import { hasLookAlike, swapCase } from '../../wire/exchange/key-forms.js';
import { redactor, type Redact } from '../../wire/exchange/redact.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { nothingKnown, type Afterwards } from '../../wire/exchange/kept-connection.js';
import { createSender } from '../../wire/exchange/sender.js';
import { rateFactsOf } from '../../judge/checks/rate-headers.js';
import type { HeaderRequest } from '../../log/header.js';
import type { Journal } from '../../log/journal.js';
import { Courier, mostRequests } from '../probes/courier.js';
import { bearer, neverIssued } from '../probes/credentials.js';
import { createProbes } from '../probes/probes.js';
import { declared, listing } from '../probes/specs.js';
import type { RemovalPhase } from '../../base/interface/removal-phase.js';
import { planOf, type Target } from '../../wire/targets/target.js';

/** Inputs of a requirement's body. */
export type Fixture = ReturnType<typeof openFixture>['fixture'];

/** Facts about the run for a requirement, in addition to its probes. */
export type RunFacts = Fixture['facts'];

/** Records judgements; may be called often. */
export type Judge = (...judgements: readonly Judgement[]) => void;

/** What a fixture needs of a run, without keys. */
export type FixtureOrder = ReturnType<typeof orderFor>;

export const orderFor = (
  target: Target,
  { run, writes, asOf }: Pick<HeaderRequest, 'run' | 'writes' | 'asOf'>,
  removal: RemovalPhase,
) => ({
  run,
  writes,
  removal,
  asOf,
  baseUrl: target.baseUrl,
  plan: target.suiteKey,
  exclusive: target.exclusive,
  figures: {
    plan: planOf(target, target.suiteKey),
    windows: target.windows,
    banSeconds: target.ban.maxSeconds,
  },
  limits: target.http,
});

interface FixtureTools {
  readonly journal: Journal;
  /** In clear, the suites' own first; that one only for the sender. */
  readonly keys: readonly string[];
  /** For shown findings; by default it redacts all keys. */
  readonly redact?: Redact;
  /** Exchanges that the run already has in its log. */
  readonly known?: readonly Exchange[];
  /** Behaviour of the server's connections so far. */
  readonly afterwards?: Afterwards;
  readonly signal?: AbortSignal | undefined;
}

/** Characters of a key of which seven copies, with their names, fit into a query of 2 KiB. */
const LONG_KEY = 270;

/** Opens the sender of a run and the probes that use it, equally for every host. */
export function openFixture(
  order: FixtureOrder,
  { journal, keys, redact = redactor(keys), known = [], afterwards = nothingKnown(), signal }: FixtureTools,
) {
  const { baseUrl, run, plan, writes, exclusive, figures, removal, asOf } = order;
  const [key = ''] = keys;
  const sender = createSender(
    {
      baseUrl,
      run,
      limits: { ...order.limits, ...(signal && { signal }) },
      onSurplus: (after) => journal.append({ type: 'finding', finding: surplusFinding(after) }),
      afterwards,
    },
    known.length + 1,
  );
  const startedAt = now();
  const closing = {
    ...sender,
    /** Notes what the reader should know of the connections, and closes them. */
    async close(): Promise<void> {
      await sender.close();
      if (afterwards.parallel.isSingle())
        journal.append({
          type: 'remark',
          text: 'the server serves one connection at a time, so the run takes longer',
        });
      for (const change of addressChanges(startedAt))
        if (change.host === new URL(baseUrl).hostname)
          journal.append({ type: 'remark', text: changeWords(change) });
    },
  };
  const tools = judging();
  const most = mostRequests(figures.plan.perMinute);
  const courier = new Courier({
    sender,
    journal,
    passive: { ...tools, rates: rateFactsOf(figures) },
    key,
    windowMs: figures.windows.minute * 1000,
    most,
    known,
    // The smallest listing, under its own name, so the suites' memory of theirs stays.
    control: {
      ...listing({ limit: 1 }, bearer(plan), declared(200)),
      probe: 'GET /pets?limit=1, after a refusal',
    },
    signal,
  });
  const probes = createProbes({
    courier,
    judging: tools,
    run,
    plan,
    most,
    writes,
    exclusive,
    fetches: removal === 'before',
  });
  const facts = {
    baseUrl,
    removal,
    /** Planned removal day of the deprecated operation, and the day for which the run judges; ISO dates. */
    removalDate: tools.contract.removalDate,
    asOf,
    /** True if the run's key has letters, so its case can change. */
    keyHasLetters: swapCase(key) !== key,
    /** True if several copies of the key in one query might exceed the shortest maximum of servers, 2 KiB. */
    isKeyLong: key.length > LONG_KEY,
    /** A key that was never issued; it resembles the run's if such a key can be made. */
    neverIssued: neverIssued(run, hasLookAlike(key)),
  };
  return { fixture: { probes, judging: tools, journal, facts, redact }, sender: closing };
}

export const newRunId = (): string => randomBytes(4).toString('hex');
