import type { OperationName } from '../../contract/types.js';
import { wasRefused, wasServed } from '../answers.js';
import { isLongBySeconds } from '../bounds.js';
import { serverClock, type ServerClock } from '../clock.js';
import { banBegan, banProbeAt } from '../decisions/ban.js';
import { burstCeiling, burstStart, pauseBeforeTail, pauseForRefills, tailLength } from '../decisions/burst.js';
import { resetAt, resetRetryAt, retryAt } from '../decisions/coming-back.js';
import { burstsAgain, concurrentRequests, isNextWindow, nextBurstAt } from '../decisions/further-bursts.js';
import { leeway } from '../decisions/leeway.js';
import { isAllButTheLast, lastOfBurstAt, lastOfSpreadAt, servedAfterSpreadAt } from '../decisions/spread.js';
import { steadyDecided, steadyPlan } from '../decisions/paced.js';
import { plainInteger } from '../header-number.js';
import { byFreshBurst } from '../oracles/early/fresh-burst.js';
import { gotLess, gotNearlyAll } from '../oracles/early/gains.js';
import { needsSpread } from '../oracles/early/spread.js';
import { waitsTooLong } from '../oracles/not-early.js';
import { letsBackAt } from '../lets-back-at.js';
import { burstsOf } from '../oracles/window.js';
import { type Bursts, windowProgress } from '../oracles/window-progress.js';
import { samplesOf } from '../judge.js';
import type { Sample } from '../sample.js';
import { NOTHING_RUN } from '../series.js';
import type { BanSeries, Figures, KeyName, KeySeries, OtherKeyProbe, RecoverySeries } from '../series.js';
import type { SimulatedServer } from './server.js';

/** A client in virtual time: it does what `series.ts` asks of senders. */
export interface VirtualClient {
  now: number;
  readonly server: SimulatedServer;
}

const OPERATIONS: readonly OperationName[] = ['listPets', 'createPet', 'getPet'];
const inTurn = (index: number): OperationName => OPERATIONS[index % OPERATIONS.length] ?? 'listPets';

/** One request, and time goes on to its answer. */
function ask(client: VirtualClient, key: KeyName, operation: OperationName): Sample {
  const way = client.server.travel(client.now);
  const sample = client.server.answer(way, key, operation, client.now);
  // A little time for the client itself.
  client.now = way.answeredAt + 0.05;
  return sample;
}

/** Requests on several connections, each sending its next when its last is answered; handed over as they arrive. */
function askInParallel(
  client: VirtualClient,
  key: KeyName,
  count: number,
  connections: number,
  from: number,
): readonly Sample[] {
  const free = Array.from({ length: Math.min(connections, count) }, () => client.now);
  const ways = Array.from({ length: count }, (_, index) => {
    const lane = free.indexOf(Math.min(...free));
    const way = client.server.travel(free[lane] ?? client.now);
    free[lane] = way.answeredAt + 0.05;
    return { way, operation: inTurn(from + index) };
  });
  const samples = ways
    .toSorted((one, other) => one.way.arrivesAt - other.way.arrivesAt)
    .map(({ way, operation }) => client.server.answer(way, key, operation, way.sentAt));
  client.now = Math.max(client.now, ...free);
  return samples.toSorted((one, other) => one.sentAt - other.sentAt);
}

/** How one key is driven. */
export interface Drive {
  readonly key: KeyName;
  readonly figures: Figures;
  readonly refusalOperation: OperationName;
  readonly spreads?: boolean;
  readonly connections: number;
  readonly latencyMs: number;
  readonly other: { readonly key: KeyName; readonly figures: Figures } | null;
  readonly aloneSince: number;
  /** What this key was asked before, as another's probe. */
  readonly earlier: readonly Sample[];
}

/** How many are left when the client pauses. */
const TAIL = 10;

const isOver = (sample: Sample): boolean => !wasServed(sample);

/** The burst, as `BurstSeries` asks for it. */
function burst(
  client: VirtualClient,
  drive: Drive,
): { readonly samples: readonly Sample[]; readonly otherKeys: readonly OtherKeyProbe[] } {
  const { key, figures, connections, other } = drive;
  const before = other === null ? null : ask(client, other.key, 'listPets');
  const samples: Sample[] = [];
  const send = (operation: OperationName): Sample => {
    const sample = ask(client, key, operation);
    samples.push(sample);
    return sample;
  };
  const first = send('listPets');
  const clock = serverClock(samples);
  const length = (figures.perMinute * drive.latencyMs * 2) / connections + 200;
  client.now = Math.max(client.now, burstStart(first, figures, clock, length));
  const left = plainInteger(first.remaining) ?? figures.perMinute - 1;
  const second = left > 0 && wasServed(first) ? send('listPets') : first;
  const { quick } = tailLength(
    Math.min(plainInteger(second.remaining) ?? figures.perMinute - 2, figures.perMinute - 2),
    connections,
  );
  if (quick > 0) samples.push(...askInParallel(client, key, quick, connections, 0));
  if (!samples.some(isOver)) {
    client.now += pauseBeforeTail(first.answeredAt, client.now, drive.latencyMs, figures);
    const singles: readonly OperationName[] = OPERATIONS.flatMap((operation) => [operation, operation, operation]);
    let index = 0;
    const spreads = drive.spreads === true && lastOfBurstAt(samples, figures, serverClock(samples)) !== null;
    const hasMore = (): boolean => spreads && !samples.some(isOver) && !isAllButTheLast(samples, figures);
    while (hasMore()) {
      send(singles[index] ?? 'listPets');
      index += 1;
    }
    const lastAt = spreads && !samples.some(isOver) ? lastOfBurstAt(samples, figures, serverClock(samples)) : null;
    client.now = Math.max(client.now, lastAt ?? 0);
    while (!samples.some(isOver) && samples.length < burstCeiling(figures, client.now - first.sentAt, samples)) {
      const last = samples.at(-1);
      const gone = plainInteger(last?.remaining ?? null) === 0;
      send(gone ? drive.refusalOperation : (singles[index] ?? drive.refusalOperation));
      index += 1;
    }
    if (!samples.some(isOver)) {
      for (const operation of OPERATIONS) {
        if (operation !== drive.refusalOperation && !samples.some(isOver)) send(operation);
      }
    }
  }
  if (other === null || before === null || !samples.some(wasRefused)) return { samples, otherKeys: [] };
  const during = ask(client, other.key, 'listPets');
  return { samples, otherKeys: [{ ...other, before, ownSince: 1, during }] };
}

/** The request that judges Retry-After, or Reset first where that lies well before it. */
function comeBack(
  client: VirtualClient,
  { key, figures }: Drive,
  refusal: Sample,
  refusals: number,
  all: readonly Sample[],
): RecoverySeries {
  const clock = serverClock(all);
  const back = retryAt(refusal, figures, clock);
  const reset = resetAt(refusal, clock);
  const resetFirst = refusals > 1 && reset !== null && reset < back.at - 1000 && reset > client.now;
  if (resetFirst) client.now = Math.max(client.now, reset);
  const resetRetry = resetFirst ? ask(client, key, 'listPets') : null;
  client.now = Math.max(client.now, back.at);
  return { refusal, refusals, retry: ask(client, key, 'listPets'), resetRetry };
}

/** The request that judges Reset, where the one before did not. */
function comeBackAtReset(
  client: VirtualClient,
  { key, figures }: Drive,
  recovery: RecoverySeries,
  all: readonly Sample[],
  notBefore = 0,
): RecoverySeries {
  const { refusal, retry, resetRetry } = recovery;
  if (retry === null || resetRetry !== null) return recovery;
  const at = resetRetryAt(refusal, retry, serverClock(all));
  if (at === null || at > client.now + 3 * figures.minuteSeconds * 1000) return recovery;
  client.now = Math.max(client.now, at, notBefore);
  return { ...recovery, resetRetry: ask(client, key, 'listPets') };
}

/** The allowance spread over most of a window, and a request at its end. */
function spreadOut(
  client: VirtualClient,
  { key, figures }: Drive,
  all: readonly Sample[],
): NonNullable<KeySeries['spread']> {
  const refusal = all.findLast(wasRefused);
  const back = refusal === undefined ? null : letsBackAt(refusal, serverClock(all));
  const lastAnswer = Math.max(...all.map(({ answeredAt }) => answeredAt));
  client.now = Math.max(client.now, back ?? 0, lastAnswer + figures.minuteSeconds * 1000 + leeway(figures));
  const first = ask(client, key, 'listPets');
  const samples = [first];
  while (!samples.some(isOver) && !isAllButTheLast(samples, figures)) samples.push(ask(client, key, 'listPets'));
  if (samples.some(isOver)) return { samples, last: null };
  client.now = Math.max(client.now, lastOfSpreadAt(first, figures));
  samples.push(ask(client, key, 'listPets'));
  if (samples.some(isOver)) return { samples, last: null };
  client.now = Math.max(client.now, servedAfterSpreadAt(first, figures));
  return { samples, last: ask(client, key, 'listPets') };
}

/** The burst after two windows of silence, with its pause. */
function freshBurst(
  client: VirtualClient,
  { key, figures }: Drive,
  all: readonly Sample[],
): NonNullable<KeySeries['fresh']> {
  const last = all.at(-1)?.answeredAt ?? client.now;
  client.now = Math.max(client.now, last + steadyPlan(figures, null, null).silenceMs);
  const start = client.now;
  const samples: Sample[] = [];
  while (!samples.some(isOver) && samples.length < burstCeiling(figures, client.now - start, samples)) {
    const [first] = samples;
    const isTail = plainInteger(samples.at(-1)?.remaining ?? null) === TAIL;
    if (first !== undefined && isTail) client.now += pauseForRefills(first.answeredAt, client.now, figures);
    samples.push(ask(client, key, 'listPets'));
  }
  return { silentMs: start - last, samples };
}

/** The steady run after two windows of silence. */
function steadyRun(
  client: VirtualClient,
  { key, figures }: Drive,
  all: readonly Sample[],
): NonNullable<KeySeries['steady']> {
  const last = all.at(-1)?.answeredAt ?? client.now;
  const { silenceMs } = steadyPlan(figures, null, null);
  client.now = Math.max(client.now, last + silenceMs);
  const start = client.now;
  const samples: Sample[] = [];
  let plan = steadyPlan(figures, null, null);
  for (let index = 0; index < plan.requests && !steadyDecided(samples); index += 1) {
    const intended = start + index * plan.gapMs;
    const way = client.server.travel(intended);
    samples.push(client.server.answer(way, key, inTurn(index), intended));
    client.now = way.answeredAt;
    if (index === 0) plan = steadyPlan(figures, samples[0] ?? null, serverClock([...all, ...samples]));
  }
  return { silentMs: start - last, gapMs: plan.gapMs, samples, end: 'ceiling' };
}

/** All profiles of one plan's key, one after the other. */
export function driveKey(client: VirtualClient, drive: Drive): KeySeries {
  const { key, figures } = drive;
  const first = burst(client, drive);
  const refusal = first.samples.find(wasRefused);
  let series: KeySeries = {
    key,
    figures,
    exclusive: true,
    aloneSince: drive.aloneSince,
    ...NOTHING_RUN,
    spreads: drive.spreads ?? false,
    earlier: drive.earlier,
    burst: {
      samples: first.samples,
      refusalOperation: drive.refusalOperation,
      end: refusal === undefined ? 'ceiling' : 'refused',
      otherKeys: first.otherKeys,
    },
  };
  if (refusal === undefined) return series;
  let recovery = comeBack(client, drive, refusal, 1, first.samples);
  if (recovery.retry !== null && !wasServed(recovery.retry))
    recovery = comeBackAtReset(client, drive, recovery, samplesOf(series));
  series = { ...series, recoveries: [recovery] };
  const again = [recovery.retry, recovery.resetRetry].find((sample) => sample !== null && wasServed(sample)) ?? null;
  if (again === null) return series;
  let bursts: Bursts = [first.samples];
  let parallel: readonly Sample[] | null = null;
  const clock = (): ServerClock | null => serverClock(samplesOf(series));
  const burstOn = (start: Sample | null): void => {
    const all = [...bursts];
    const next = (): number | null => burstsAgain(all, figures, clock(), drive.earlier);
    for (let at = next(); at !== null; at = next()) {
      client.now = Math.max(client.now, at);
      const more: Sample[] = all.length === bursts.length && start !== null ? [start] : [];
      const begun = first.samples[0]?.sentAt ?? 0;
      while (!more.some(isOver) && more.length < burstCeiling(figures, client.now - begun, more))
        more.push(ask(client, key, inTurn(more.length)));
      all.push(more);
      series = { ...series, window: { bursts: all.filter((one) => one !== parallel) } };
    }
    bursts = all;
  };
  if (!isNextWindow(first.samples[0], again, figures)) burstOn(again);
  const refusals = (): number => samplesOf(series).filter(wasRefused).length;
  const last = bursts.length > 1 ? bursts.at(-1)?.find(wasRefused) : undefined;
  const notBefore = last === undefined ? 0 : (letsBackAt(last, clock()) ?? 0);
  const isDrained = windowProgress(bursts, figures, clock(), drive.earlier).kind === 'drained';
  const waits = !isDrained || isLongBySeconds(figures);
  const told = waits ? comeBackAtReset(client, drive, recovery, samplesOf(series), notBefore) : recovery;
  if (told !== recovery) recovery = { ...told, refusals: bursts.length > 1 ? refusals() : told.refusals };
  series = { ...series, recoveries: [recovery] };
  const latest = samplesOf(series).at(-1) ?? again;
  client.now = Math.max(client.now, nextBurstAt(bursts, latest, figures, clock(), drive.earlier));
  const together = askInParallel(
    client,
    key,
    concurrentRequests(figures, drive.latencyMs * 3),
    figures.perMinute * 2,
    0,
  );
  series = { ...series, concurrent: { samples: together, connections: together.length, end: 'ceiling' } };
  const refused = together.filter(wasRefused).toSorted((one, other) => other.answeredAt - one.answeredAt)[0];
  bursts = burstsOf(series);
  const withParallel = bursts.length;
  parallel = bursts.find((burst) => burst.includes(together[0] ?? again)) ?? null;
  if (parallel !== null && parallel === bursts.at(-1)) burstOn(null);
  if (refused !== undefined && bursts.length === withParallel) {
    const second = comeBack(client, drive, refused, refusals(), samplesOf(series));
    series = { ...series, recoveries: [recovery, comeBackAtReset(client, drive, second, [...samplesOf(series)])] };
  }
  if (needsSpread(series, samplesOf(series)))
    series = { ...series, spread: spreadOut(client, drive, samplesOf(series)) };
  const short = gotLess(series, samplesOf(series));
  if (!short && !waitsTooLong(series)) return series;
  if (short && gotNearlyAll(series, samplesOf(series))) {
    const fresh = freshBurst(client, drive, samplesOf(series));
    series = { ...series, fresh };
    if (byFreshBurst(series, fresh) !== null) return series;
  }
  series = { ...series, steady: steadyRun(client, drive, samplesOf(series)) };
  return series;
}

/** The ban profile: to the first 429 and on, then silence, then single requests. */
export function driveBan(client: VirtualClient, drive: Drive, declaredSeconds: number | null): KeySeries {
  const { key, figures, other } = drive;
  const pushed: Sample[] = [];
  const before = other === null ? null : ask(client, other.key, 'listPets');
  while (!pushed.some(wasRefused) && pushed.length < 2 * figures.perMinute) pushed.push(ask(client, key, 'listPets'));
  for (let more = 0; more < 30 && !banBegan(pushed, figures); more += 1) {
    client.now += 20;
    pushed.push(ask(client, key, inTurn(more)));
  }
  const otherKeys =
    other === null || before === null
      ? []
      : [{ ...other, before, ownSince: 1, during: ask(client, other.key, 'listPets') }];
  const watched: Sample[] = [];
  client.now = Math.max(client.now, banProbeAt({ pushed, declaredSeconds }, figures, serverClock(pushed)) ?? 0);
  watched.push(ask(client, key, 'listPets'));
  const ban: BanSeries = { pushed, lastBody: null, watched, otherKeys, declaredSeconds };
  return {
    key,
    figures,
    exclusive: true,
    aloneSince: drive.aloneSince,
    ...NOTHING_RUN,
    earlier: drive.earlier,
    ban,
  };
}
