import { basename, dirname, extname, relative, resolve, sep } from 'node:path';
import type { PlanFigures } from '../../base/interface/plans.js';
import { buildTarget } from '../../wire/targets/build-target.js';
import { pathIn } from '../../wire/targets/key-file.js';
import { variableIn, type Environment } from '../../wire/targets/placeholders.js';
import { nameOf, splitKey } from '../../wire/targets/target-options.js';
import { isKeySource, usualVariable, type TargetDraft } from '../../wire/targets/write-target.js';
import type { Arguments } from './command-options.js';
import { type KeyName, keyNames } from '../../base/interface/names.js';
import { badOption } from '../../base/kernel/errors.js';
import { kitVersion, packageRoot } from '../../base/kernel/package.js';

export type Sources = TargetDraft['keys'];

const SECRETIVE = new Set(['KEY', 'TOKEN', 'SECRET', 'APIKEY']);

/** Returns the set variables that may contain a plan's key, the usual one first. */
export function candidates(name: KeyName, env: Environment): readonly string[] {
  const usual = usualVariable(name);
  return Object.keys(env)
    .filter((variable) => {
      const words = variable.toUpperCase().split('_');
      return env[variable] && words.includes(name.toUpperCase()) && words.some((word) => SECRETIVE.has(word));
    })
    .toSorted((one, other) => Number(other === usual) - Number(one === usual) || (one < other ? -1 : 1));
}

/**
 * Returns the sources of keys from the options; undefined without any. Throws UsageError for a key in clear,
 * without it.
 */
export function sourcesOf({ plan, key }: Pick<Arguments<'init'>, 'plan' | 'key'>): Sources | undefined {
  if (plan.length + key.length === 0) return undefined;
  const sources = new Map<KeyName, string>(plan.map((name) => [name, `\${${usualVariable(name)}}`]));
  for (const option of key) {
    const [name, source] = splitKey(option);
    if (!isKeySource(source))
      throw badOption(
        `--key ${name} needs a variable or a file, because a target file contains no key.`,
        `Write --key ${name}='\${${usualVariable(name)}}', in single quotes, or --key ${name}=file:PATH. Nothing was written.`,
      );
    sources.set(name, source);
  }
  return Object.fromEntries(sources);
}

/** Returns the keys whose variables are set, and a Free key if no plan has one. */
export function sourcesIn(env: Environment): Sources {
  const found = keyNames.flatMap((name) => {
    const [variable] = name === 'enterprise' ? [] : candidates(name, env);
    return variable === undefined ? [] : [[name, `\${${variable}}`] as const];
  });
  const plans = Object.fromEntries(found);
  return found.some(([name]) => name !== 'sacrificial')
    ? plans
    : { free: `\${${usualVariable('free')}}`, ...plans };
}

/** Parses Enterprise's figures from PERMINUTE/PERDAY. Throws UsageError. */
export function figuresOf(text: string | undefined): PlanFigures | undefined {
  if (text === undefined) return undefined;
  const [, perMinute, perDay] = /^([1-9]\d{0,8})\/([1-9]\d{0,11})$/.exec(text.trim()) ?? [];
  if (perMinute !== undefined && perDay !== undefined)
    return { perMinute: Number(perMinute), perDay: Number(perDay) };
  throw badOption(
    `--enterprise takes PERMINUTE/PERDAY, not "${text}".`,
    'Write it as --enterprise 2400/500000. Nothing was written.',
  );
}

export function targetName(file: string, baseUrl: string): string {
  const stem = basename(file, extname(file));
  return stem !== 'target' && /^[A-Za-z0-9][\w.-]{0,63}$/.test(stem) ? stem : nameOf(baseUrl);
}

/**
 * Returns the schema's place for an editor: a relative path that works for all users of the file, or the
 * registry.
 */
export function schemaFor(file: string, root = packageRoot()): string {
  const schema = 'config/schemas/target.schema.json';
  const folder = dirname(resolve(file));
  const up = relative(folder, root).split(sep).join('/');
  const isNear = /^(\.\.\/)*node_modules\//.test(up) || /^(\.\.(\/|$))*$/.test(up);
  if (!isNear) return `https://unpkg.com/petstore-conformance@${kitVersion()}/${schema}`;
  const path = [...(up === '' ? [] : [up]), schema].join('/');
  return path.startsWith('.') ? path : `./${path}`;
}

/** Checks a draft like a run checks its file, with substitutes for the keys. Throws ConfigError. */
export function checkDraft({ name, baseUrl, keys, enterprise }: TargetDraft): void {
  const standIns = Object.entries(keys).map(([plan, source]) => [
    plan,
    `key-of-${Buffer.from(variableIn(source) ?? pathIn(source) ?? '').toString('hex')}`,
  ]);
  buildTarget(
    { name, baseUrl, keys: Object.fromEntries(standIns), ...(enterprise && { plans: { enterprise } }) },
    () => ({}),
    '.',
  );
}
