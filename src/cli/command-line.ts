import { USUAL_PREFIX, USUAL_WAIT, type LoadArguments } from './load-options.js';
import type { RunArguments } from './run-options.js';

/** The command that repeats a run, pasteable into a shell; a key given in clear becomes a variable. */
export function commandLine(args: RunArguments): string {
  return written('run', [
    ['target', args.target],
    ['base-url', args.baseUrl],
    ['key', args.key.map(withoutKey)],
    ['only', args.only],
    ['shard', args.shard],
    ['requirement', args.requirement],
    ['profile', args.profile],
    ['plan', args.plan],
    ['include', args.include],
    ['explore', args.explore === '' || args.explore],
    ['seed', args.seed],
    ['replay', args.replay],
    ['explore-animals', args.exploreAnimals],
    ['suite', args.suite],
    ['ledger', args.ledger],
    ['own-decide', args.ownDecide],
    ['read-only', args.readOnly],
    ['as-of', args.asOf],
    ['baseline', args.baseline],
    ['certify', args.certify],
    ['allow-load-on-production', args.allowLoadOnProduction],
  ]);
}

/** The command that runs all of a target. */
export const plainRun = (
  args: Pick<RunArguments, 'target' | 'baseUrl' | 'key' | 'readOnly' | 'allowLoadOnProduction'>,
): string =>
  written('run', [
    ['target', args.target],
    ['base-url', args.baseUrl],
    ['key', args.key.map(withoutKey)],
    ['read-only', args.readOnly],
    ['allow-load-on-production', args.allowLoadOnProduction],
  ]);

/** The same of a load run. */
export const loadCommandLine = (args: LoadArguments): string =>
  written('load', [
    ['scenario', args.scenario],
    ['target', args.target],
    ['base-url', args.baseUrl],
    ['key', args.key.map(withoutKey)],
    ['read-only', args.readOnly],
    ['slice', args.slice],
    ['start-at', args.startAt],
    ['agents', args.agents === undefined ? undefined : String(args.agents)],
    ['redis', args.redis === undefined ? undefined : withoutPassword(args.redis)],
    ['redis-prefix', args.redisPrefix === USUAL_PREFIX ? undefined : args.redisPrefix],
    ['wait', args.wait === USUAL_WAIT ? undefined : String(args.wait)],
    ['allow-load-on-production', args.allowLoadOnProduction],
  ]);

/** The command that put parts together. */
export const mergeCommandLine = (dirs: readonly string[]): string =>
  ['petstore-conformance merge', ...dirs.map(quoted)].join(' ');

/** An address of a Redis as it may be shown: its password becomes a variable. */
const withoutPassword = (redis: string): string =>
  URL.canParse(redis) && (new URL(redis).password !== '' || new URL(redis).username !== '')
    ? '${PETSTORE_REDIS_URL}'
    : redis;

type Option = readonly [name: string, value: string | boolean | readonly string[] | undefined];

function written(command: string, options: readonly Option[]): string {
  const words = options.flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    if (value === true) return [`--${name}`];
    return (typeof value === 'string' ? [value] : value).map((each) => `--${name} ${quoted(each)}`);
  });
  return [`petstore-conformance ${command}`, ...words].join(' ');
}

const withoutKey = (option: string): string => {
  const plan = option.slice(0, Math.max(0, option.indexOf('=')));
  return /^(\$\{\w+(:-)?\}$|file:)/.test(option.slice(plan.length + 1))
    ? option
    : `${plan}=\${PETSTORE_${plan.toUpperCase()}_KEY}`;
};

/** A word as a shell takes it for one. */
export const quoted = (word: string): string =>
  /^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
