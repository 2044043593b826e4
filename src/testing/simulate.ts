import yargs from 'yargs';
import { planNames } from '../contract/plan-names.js';
import { loadPlans, type PlanFigures } from '../contract/plans.js';
import { loadContract } from '../contract/contract.js';
import { loadLedger } from '../contract/ledger.js';
import type { PlanName } from '../contract/types.js';
import type { Finding } from '../findings/finding.js';
import { conclude } from '../experiments/conclude.js';
import type { Behaviour, Rounding } from './limiters/server.js';
import { LIMITERS } from './simulated/catalogue.js';
import { flawed } from './simulated/flaws.js';
import { PLAIN, PROFILES, simulate, type Circumstances, type Simulated } from './simulated/simulate.js';

/*
 * `node dist/src/testing/simulate.js`: drives the keys of a simulated limiter by the driver that ships, in virtual time,
 * and prints what is not passed, how long it took and what it cost.
 */

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const ROUNDINGS: readonly Rounding[] = ['up', 'down', 'nearest'];

const options = await yargs(process.argv.slice(2))
  .scriptName('node dist/src/testing/simulate.js')
  .usage('$0 --limiter NAME\n\nDrives simulated limiters in virtual time, and prints what is not passed.')
  .option('limiter', { choices: [...LIMITERS.keys()], array: true, default: ['fixed'], requiresArg: true })
  .option('plans', { choices: planNames, array: true, default: ['free', 'pro'], requiresArg: true })
  .option('runs', { type: 'number', default: 1, requiresArg: true, describe: 'With seeds from --seed on' })
  .option('seed', { type: 'number', default: 1, requiresArg: true })
  .option('minute', { type: 'number', default: 60, describe: 'Seconds that this target calls a minute' })
  .option('window', { type: 'number', default: 1, describe: "The limiter's window, as a part of the minute" })
  .option('over', {
    type: 'number',
    default: 0,
    describe: 'Requests that it serves beyond each plan; below 0: too few',
  })
  .option('retry-after', { choices: ROUNDINGS, default: 'up' as const, describe: 'How it comes to whole seconds' })
  .option('reset', { choices: ROUNDINGS, default: 'up' as const })
  .option('retry-after-as', { choices: ['seconds', 'date'] as const, default: 'seconds' as const })
  .option('latency', { type: 'number', default: PLAIN.latencyMs, describe: 'There and back, ms' })
  .option('jitter', { type: 'number', default: PLAIN.jitterMs, describe: 'Most that each way takes longer, ms' })
  .option('offset', { type: 'number', default: 0, describe: "The server's clock less ours, ms" })
  .option('stale', { type: 'number', default: 0, describe: 'Most that a Date is older than the answer, ms' })
  .option('grain', { type: 'number', default: 0, describe: "Steps of the limiter's clock, ms" })
  .option('used', { type: 'number', default: 0, describe: 'Requests of others with the free key before the run' })
  .option('stalls', { type: 'number', default: 0, describe: 'The longest time that the client stands still, ms' })
  .option('stall-every', { type: 'number', default: 3000, describe: 'Between two such times on average, ms' })
  .option('work', { type: 'number', default: 0, describe: 'Most that each event costs the client, ms' })
  .option('ban', { type: 'boolean', default: false, describe: 'The ban of a sacrificial key in place of all else' })
  .option('told', { type: 'boolean', default: false, describe: 'Prints what the driver tells of each profile' })
  .option('all', { type: 'boolean', default: false, describe: 'Prints rows that are passed as well' })
  .coerce({ limiter: listed, plans: listed })
  .strict()
  .parseAsync();

/** Names may be parted by commas as well. */
function listed(names: readonly string[]): string[] {
  return names.flatMap((name) => name.split(','));
}

const figuresOf = (plan: PlanName): PlanFigures => {
  const figures = loadPlans()[plan];
  // The interface leaves the largest plan to an agreement; this is one.
  return figures === 'custom' ? { perMinute: 2400, perDay: 500_000 } : figures;
};

const altered = (behaviour: Behaviour): Behaviour => ({
  ...behaviour,
  retryAfterAs: options['retry-after-as'],
  rounded: { retryAfter: options['retry-after'], reset: options.reset },
  applied: (figures, key) => {
    const applied = behaviour.applied?.(figures, key) ?? figures;
    const { perMinute, minuteSeconds } = applied;
    return { ...applied, perMinute: perMinute + options.over, minuteSeconds: minuteSeconds * options.window };
  },
});

const circumstancesOf = (seed: number): Circumstances => ({
  seed,
  minuteSeconds: options.minute,
  freeLimit: figuresOf('free').perMinute,
  latencyMs: options.latency,
  jitterMs: options.jitter,
  offsetMs: options.offset,
  staleMs: options.stale,
  grainMs: options.grain,
  usedBefore: options.used,
  dayLeft: null,
  ...(options.stalls + options.work > 0 && {
    busy: {
      longestMs: Math.max(50, options.stalls),
      everyMs: options.stalls === 0 ? Infinity : options.stallEvery,
      atSends: options.stalls === 0 ? 0 : 0.001,
      workMs: options.work,
    },
  }),
});

const lineOf = (finding: Finding): string | null => {
  switch (finding.kind) {
    case 'kept':
      return options.all ? `kept ${finding.requirement}: ${finding.message ?? ''}` : null;
    case 'observed':
      return options.all ? `observed ${finding.requirement}: ${finding.value}` : null;
    case 'violated':
      return `VIOLATED ${finding.requirement}: ${finding.message} Expected ${finding.expected ?? '?'}, received ${finding.actual ?? '?'}.`;
    case 'inconclusive':
    case 'not-applicable':
      return `${finding.kind} ${finding.requirement} (${finding.reason.code}): ${finding.reason.text}`;
    case 'untried':
      return `untried ${finding.requirement}: ${finding.what}`;
    case 'fault':
      return `FAULT ${finding.requirement}: ${finding.message}`;
  }
};

const rows = loadLedger().requirements.filter(({ judgedBy }) => judgedBy.kind !== 'suite');
const contract = loadContract();

/** The findings as a run concludes them. */
function concluded({ record }: Simulated): readonly Finding[] {
  const profiles = record.keys.flatMap(({ key }) =>
    [...(options.ban ? (['ban'] as const) : PROFILES)].map((profile) => ({
      profile,
      key,
      requests: 0,
      seconds: 0,
      ifNeeded: false,
    })),
  );
  const plan = { profiles, requests: 0, seconds: 0, findings: [], steadyAskedFor: false };
  const ran = new Set<string>(profiles.map(({ profile }) => profile));
  const inScope = rows.filter(
    ({ judgedBy }) => judgedBy.kind !== 'load' || judgedBy.profiles.some((profile) => ran.has(profile)),
  );
  return conclude(record, plan, inScope, false, contract);
}

function shown(name: string, seed: number, { seconds, requests, told }: Simulated, found: readonly Finding[]): string {
  const spent = [...requests].filter(([, count]) => count > 0).map(([key, count]) => `${key} ${count}`);
  const rows = new Set(found.flatMap((finding) => lineOf(finding) ?? []));
  return [
    `${name}, seed ${seed}: ${seconds.toFixed(1)} s; requests: ${spent.join(', ')}`,
    ...(options.told ? told : []),
    ...rows,
  ].join('\n  ');
}

const begun = performance.now();
let most = 0;
const tally = new Map<string, number>();
for (const name of options.limiter ?? []) {
  for (let seed = options.seed; seed < options.seed + options.runs; seed += 1) {
    const plans = new Map((options.plans as PlanName[]).map((plan) => [plan, figuresOf(plan)] as const));
    const behaviour = altered(LIMITERS.get(name)?.() ?? flawed({}));
    const run = await simulate(behaviour, circumstancesOf(seed), {
      plans,
      ...(options.ban && { ban: { declaredSeconds: null } }),
    });
    most = Math.max(most, run.seconds);
    const found = concluded(run);
    for (const row of new Set(
      found.flatMap(({ kind, requirement }) =>
        kind === 'violated' || kind === 'inconclusive' ? [`${kind} ${requirement}`] : [],
      ),
    ))
      tally.set(`${name}: ${row}`, (tally.get(`${name}: ${row}`) ?? 0) + 1);
    say(shown(name, seed, run, found));
  }
}
say(`\nThe longest took ${most.toFixed(1)} s; all in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
for (const [row, count] of tally) say(`${count} of ${options.runs}: ${row}`);
