import type { Finding } from '../../checks/finding.js';
import { judgeLimits } from '../judge.js';
import type { Sample } from '../sample.js';
import type { Figures, KeyName, KeySeries } from '../series.js';
import { driveBan, driveKey, type VirtualClient } from './client.js';
import { randomFrom } from './random.js';
import { type Behaviour, simulatedServer } from './server.js';

/** What varies from run to run. */
export interface Circumstances {
  readonly seed: number;
  readonly minuteSeconds: number;
  readonly freeLimit: number;
  readonly latencyMs: number;
  readonly jitterMs: number;
  readonly offsetMs: number;
  readonly staleMs: number;
  readonly grainMs: number;
  readonly connections: number;
  /** Requests that others had sent with the free key, up to a window before the run. */
  readonly usedBefore: number;
  /** What is left of the day when the run begins; null: all of it. */
  readonly dayLeft: number | null;
}

/** Nothing in the way: a quick server with a right clock, whose key nobody has used. */
export const PLAIN: Circumstances = {
  seed: 1,
  minuteSeconds: 60,
  freeLimit: 60,
  latencyMs: 2,
  jitterMs: 0.5,
  offsetMs: 0,
  staleMs: 0,
  grainMs: 0,
  connections: 4,
  usedBefore: 0,
  dayLeft: null,
};

const START = 1_800_000_000_000;

/** Runs all profiles against a simulated server, in virtual time, and judges what they recorded. */
export function simulate(
  behaviour: Behaviour,
  circumstances: Circumstances,
  ban: { readonly declaredSeconds: number | null } | null = null,
): { readonly findings: readonly Finding[]; readonly keys: readonly KeySeries[] } {
  const { seed, minuteSeconds, freeLimit, latencyMs, jitterMs, offsetMs, staleMs, grainMs, connections, usedBefore } =
    circumstances;
  const random = randomFrom(seed);
  const days = { minuteSeconds, daySeconds: 1440 * minuteSeconds };
  const free: Figures = { perMinute: freeLimit, perDay: freeLimit * 17, ...days };
  const pro: Figures = { perMinute: freeLimit * 3, perDay: freeLimit * 170, ...days };
  const figures = new Map<KeyName, Figures>([
    ['free', free],
    ['pro', pro],
    ['sacrificial', free],
  ]);
  const server = simulatedServer(behaviour, {
    random,
    offsetMs,
    latencyMs,
    jitterMs,
    staleMs,
    grainMs,
    dayLeft: circumstances.dayLeft,
    phaseMs: random() * minuteSeconds * 1000,
    figures,
  });
  const client: VirtualClient = { now: START + random() * 60_000, server };
  for (let index = 0; index < usedBefore; index += 1) {
    server.answer(server.travel(client.now), 'free', 'listPets', client.now);
    client.now += random() * 10;
  }
  client.now += usedBefore === 0 ? 0 : random() * minuteSeconds * 1000;
  const aloneSince = client.now;
  if (ban !== null) {
    const other = { key: 'pro' as const, figures: pro };
    const drive = {
      key: 'sacrificial' as const,
      figures: free,
      refusalOperation: 'listPets' as const,
      connections,
      latencyMs,
      other,
      aloneSince,
      earlier: [],
    };
    const keys = [driveBan(client, drive, ban.declaredSeconds)];
    return { keys, findings: judgeLimits({ keys, refusalBodies: [], operations: [] }) };
  }
  const first = driveKey(client, {
    key: 'free',
    figures: free,
    refusalOperation: 'createPet',
    spreads: seed % 2 === 1,
    connections,
    latencyMs,
    other: { key: 'pro', figures: pro },
    aloneSince,
    earlier: [],
  });
  const probes: readonly Sample[] = (first.burst?.otherKeys ?? []).flatMap(({ before, during }) =>
    before === null ? [during] : [before, during],
  );
  const second = driveKey(client, {
    key: 'pro',
    figures: pro,
    refusalOperation: 'getPet',
    spreads: seed % 2 === 0,
    connections,
    latencyMs,
    other: null,
    aloneSince,
    earlier: probes,
  });
  const keys = [first, second];
  return { keys, findings: judgeLimits({ keys, refusalBodies: [], operations: ['listPets', 'createPet', 'getPet'] }) };
}

/** The ids of the rows that were broken, each once, in order. */
export const broken = (findings: readonly Finding[]): readonly string[] =>
  [...new Set(findings.filter(({ kind }) => kind === 'violated').map(({ requirement }) => requirement))].sort();
