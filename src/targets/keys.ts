import { ConfigError, type ConfigErrorCode } from '../contract/config-error.js';
import { type KeyName, planNames, keyNames } from '../contract/plan-names.js';
import type { PlanName } from '../contract/types.js';
import type { Place } from './placeholders.js';
import { secret } from './secret.js';
import type { Target } from './target.js';

/** Keys in clear, before they are checked and wrapped. */
export type RawKeys = Readonly<Partial<Record<PlanName, string>>> & {
  readonly sacrificial?: string | { readonly key: string; readonly plan: PlanName };
};

type Keys = Pick<Target, 'keys' | 'sacrificial' | 'suiteKey'>;

/** All keys of a target in clear: to find them where they must not be, and for nothing else. */
export const keysIn = ({ keys, sacrificial }: Pick<Target, 'keys' | 'sacrificial'>): readonly string[] =>
  [...Object.values(keys), ...(sacrificial ? [sacrificial.key] : [])].map((key) => key.reveal());

/** What an HTTP header can carry as one token: visible ASCII. */
const SENDABLE = /^[\x21-\x7e]+$/;

/**
 * Checks keys and wraps them; the suites' key is the one asked for, or the largest plan's. Throws ConfigError `no-key`,
 * `bad-key`, `duplicate-key` or `suite-key`; no part of a key is in any of them.
 */
export function readKeys(
  raw: RawKeys,
  suiteKey: PlanName | undefined,
  placeOf: (name: KeyName | 'suiteKey') => Place,
): Keys {
  const fail = (code: ConfigErrorCode, name: Parameters<typeof placeOf>[0], message: string, hint: string): never => {
    throw new ConfigError({ code, message, ...placeOf(name), hint });
  };
  const sacrificial =
    typeof raw.sacrificial === 'string' ? { key: raw.sacrificial, plan: 'free' as const } : raw.sacrificial;
  const holders = new Map<string, KeyName>();
  for (const name of keyNames) {
    const key = name === 'sacrificial' ? sacrificial?.key : raw[name];
    if (key === undefined) continue;
    if (key === '') fail('bad-key', name, `The ${name} key is empty.`, 'Give the key, or leave the name out.');
    if (!SENDABLE.test(key)) {
      fail(
        'bad-key',
        name,
        `The ${name} key holds a character that cannot be sent in a header.`,
        'A key is visible ASCII: look for a line break, a blank or a typographic sign at its ends.',
      );
    }
    const other = holders.get(key);
    if (other) {
      fail(
        'duplicate-key',
        name,
        `The ${name} key and the ${other} key are the same.`,
        'Give each name a key of its own.',
      );
    }
    holders.set(key, name);
  }
  const given = planNames.filter((plan) => raw[plan] !== undefined);
  const largest = given.at(-1);
  if (largest === undefined) {
    return fail('no-key', 'free', 'No key of a plan is given.', `Give at least one of ${planNames.join(', ')}.`);
  }
  if (suiteKey !== undefined && !given.includes(suiteKey)) {
    return fail(
      'suite-key',
      'suiteKey',
      `The suites are to use the ${suiteKey} key, and there is none.`,
      `Keys are given for: ${given.join(', ')}.`,
    );
  }
  return {
    keys: Object.fromEntries(given.map((plan) => [plan, secret(raw[plan] ?? '')])),
    ...(sacrificial && { sacrificial: { key: secret(sacrificial.key), plan: sacrificial.plan } }),
    suiteKey: suiteKey ?? largest,
  };
}
