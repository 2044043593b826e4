import { setMaxListeners } from 'node:events';
import { about, blocked } from '../../judge/findings/finding.js';
import { blockedWords, type Judging } from '../../judge/checks/layers.js';
import { inSeries, sampleOf, unread } from '../../judge/checks/rate-headers.js';
import type { PlanName } from '../../base/interface/types.js';
import { isWithKey } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { clockBounds } from '../../judge/limits/clock.js';
import type { Sample } from '../../judge/limits/sample.js';
import type { KeySeries } from '../../judge/limits/series.js';
import type { Journal } from '../../log/journal.js';
import type { RemovalPhase } from '../../base/interface/removal-phase.js';
import { onceEach } from '../../base/kernel/once-each.js';
import type { Secret } from '../../wire/targets/secret.js';
import { DeferredChecks } from './deferred-checks.js';
import { machineClock, type Clock } from '../load/clock.js';
import { conclude, withCertificateFaults } from './conclude.js';
import { openLab } from '../load/lab.js';
import { network, openKeySession, type Carrier, type KeySession } from '../load/key-session.js';
import { figuresOf } from '../load/figures.js';
import { planLoad, type LoadRequest } from './plan-load.js';
import { reporterOf } from '../load/reporter.js';
import type { KeyOptions } from '../limits/played.js';
import { askKeys } from './ask-keys.js';
import { keepStalls } from '../../wire/exchange/stalls.js';
import { newConnectionReuse, type LearntReuse } from '../../wire/exchange/connection-reuse.js';
import { loadStore, wireContext } from '../load/requests.js';
import { banPhase } from '../limits/ban.js';
import { operationsOf } from '../suite/operations.js';
import { type KeyName, planNames } from '../../base/interface/names.js';

export interface LoadOptions extends LoadRequest {
  readonly judging: Judging;
  readonly journal: Journal;
  /** ID of the run: eight hexadecimal digits. */
  readonly run: string;
  /** Phase of getPet's removal: from that day on it is not used. */
  readonly removal: RemovalPhase;
  readonly writes: boolean;
  /** Earlier requests of the run. */
  readonly known: readonly Exchange[];
  /** True if the target sends bytes beyond its responses: then no connection is used twice. */
  readonly singly?: boolean;
  /** Behaviour of the server's connections so far. */
  readonly learnt?: LearntReuse | undefined;
  readonly signal: AbortSignal;
  /** Simulation that replaces this machine's clock and network. */
  readonly simulated?: { readonly time: Clock; readonly carrier: Carrier } | undefined;
}

/**
 * Runs the load profiles of all plans in parallel, records requests and responses, and lets the limits'
 * oracles judge. Everything goes into the journal. Faults of target and network are findings, never
 * exceptions.
 */
export async function runLoad(options: LoadOptions): Promise<void> {
  const { target, rows, selected, journal, known } = options;
  const plan = planLoad({ ...options, spent: spentOf(known) });
  for (const finding of plan.findings) journal.append({ type: 'finding', finding });
  if (plan.profiles.length === 0) return;
  const blockade = known.find(({ blockedAfter }) => blockedAfter !== undefined);
  if (blockade !== undefined) {
    const judged = new Set(plan.findings.map(({ requirement }) => requirement));
    for (const { id, judgedBy } of rows)
      if (judgedBy.kind === 'load' && !judged.has(id) && (selected?.includes(id) ?? true))
        journal.append({
          type: 'finding',
          finding: about(id, blocked('auth-valid-key', blockedWords(blockade))),
        });
    return;
  }

  const time = options.simulated?.time ?? machineClock;
  const startedAt = time.now();
  const signal = ownSignal(options.signal);
  const checks = new DeferredChecks(options.judging, journal, known);
  const open = sessionOpener(options, checks, signal);
  const isPlanned = (key: KeyName): boolean => plan.profiles.some((planned) => planned.key === key);
  const all = planNames.flatMap((name) => {
    const secret = target.keys[name];
    return secret === undefined ? [] : [open(name, name, secret)];
  });
  const sessions = all.filter(({ key }) => isPlanned(key));
  const given = target.sacrificial;
  const sacrifice = given && isPlanned('sacrificial') ? open('sacrificial', given.plan, given.key) : null;
  const every = [...all, ...(sacrifice ? [sacrifice] : [])];
  const reporterFor = onceEach((session: KeySession) => reporterOf(session, journal, time));
  // Virtual time has no stalls of this machine.
  const watch = options.simulated === undefined ? keepStalls() : null;
  const lab = openLab({
    time,
    stalls: watch?.stalls ?? [],
    sessions: every,
    before: clockBounds(samplesOf(known)),
    signal,
    operations: operationsOf(options, options),
    waiting: (what, ms) => journal.append({ type: 'waiting', what, until: Date.now() + ms }),
    progress: (profile, key, text, ms) =>
      journal.append({
        type: 'progress',
        profile,
        plan: key,
        text,
        ...(ms !== undefined && { until: Date.now() + ms }),
      }),
    // In virtual time a pause leaves no time to judge.
    ...(options.simulated === undefined && { inQuiet: (isQuiet) => void checks.drain(isQuiet) }),
  });
  const optionsOf = (session: KeySession): KeyOptions => {
    const own = plan.profiles.filter(({ key }) => key === session.key);
    const profiles = new Set(own.map(({ profile }) => profile));
    return {
      profiles,
      exclusive: target.exclusive,
      earlier: samplesWith(session.key, known),
      aloneSince: known[0]?.sentAt ?? startedAt,
      report: reporterFor(session).report,
    };
  };

  const keys: KeySeries[] = [];
  try {
    const other = sessions[0] ?? all[0] ?? null;
    const ban = sacrifice && (await banPhase(lab, sacrifice, other, target, reporterFor(sacrifice).report));
    keys.push(...(await askKeys(sessions, lab, optionsOf)));
    if (ban !== null) keys.push(await ban.watching);
    await checks.drain();
  } finally {
    watch?.stop();
    checks.close();
    for (const session of every) reporterFor(session).rest();
    await Promise.all(every.map((session) => session.close()));
  }
  const inScope = rows.filter(({ id }) => selected === null || selected.includes(id));
  const record = { keys, refusalBodies: checks.refusalBodies, operations: lab.operations };
  const concluded = conclude(record, plan, inScope, signal.aborted, options.judging.contract);
  for (const finding of withCertificateFaults(concluded, inScope, checks.certificateFaults))
    journal.append({ type: 'finding', finding });
}

/** Copies the signal without a bound on listeners: every connection adds one. */
function ownSignal(signal: AbortSignal): AbortSignal {
  const own = AbortSignal.any([signal]);
  setMaxListeners(0, own);
  return own;
}

function sessionOpener(options: LoadOptions, checks: DeferredChecks, signal: AbortSignal) {
  const { target, known, singly, learnt, simulated } = options;
  const store = loadStore(known);
  const reuse = newConnectionReuse(learnt, singly);
  const carrier = simulated?.carrier ?? network();
  let number = 0;
  return (key: KeyName, plan: PlanName, secret: Secret): KeySession =>
    openKeySession({
      key,
      figures: figuresOf(target, plan),
      origin: new URL(target.baseUrl).origin,
      limits: target.http,
      context: wireContext(target, options, key, secret),
      store,
      keeper: checks,
      carrier,
      reuse,
      nextId: () => `l${(number += 1)}`,
      signal,
    });
}

const samplesOf = (known: readonly Exchange[]): readonly Sample[] =>
  known.flatMap((exchange) => sampleOf(exchange) ?? []);

/**
 * Requests of the run's earlier phases with a key, as samples: each attempt once. Those of no operation may
 * count, so they have status 0.
 */
const samplesWith = (key: KeyName, known: readonly Exchange[]): readonly Sample[] =>
  known
    .filter((exchange) => isWithKey(exchange, key))
    .flatMap((exchange) => [
      ...Array.from({ length: exchange.attempts - 1 }, () => unread(exchange)),
      inSeries(exchange),
    ]);

function spentOf(known: readonly Exchange[]): Partial<Record<KeyName, number>> {
  const spent: Partial<Record<KeyName, number>> = {};
  for (const { credential, attempts } of known) {
    if (credential.kind === 'valid') spent[credential.plan] = (spent[credential.plan] ?? 0) + attempts;
  }
  return spent;
}
