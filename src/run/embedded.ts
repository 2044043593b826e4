import { type KeyName, keyNames } from '../contract/plan-names.js';
import { startReference } from '../reference/index.js';
import type { Environment } from '../targets/placeholders.js';
import { EMBEDDED, readTargetFile } from '../targets/load-target.js';
import type { Target } from '../targets/target.js';
import { minuteForThisMachine } from './machine-pace.js';

/** The reference server on a free loopback port, as a target, and how to end it. */
export interface Embedded {
  readonly target: Target;
  readonly close: () => Promise<void>;
}

/** A ban lasts two minutes of the server's; it is promised to be over after three. */
const BAN_MINUTES = { lasts: 2, promised: 3 } as const;

/**
 * Starts the reference server with the windows of `config/targets/embedded.yaml`, or, where it is to be put under load on
 * a machine that is too slow for those, with longer ones.
 */
export async function startEmbedded(
  env: Environment,
  { underLoad }: { readonly underLoad: boolean },
): Promise<Embedded> {
  // The file says how long the windows are before the server can say where it listens.
  const { windows, plans } = readTargetFile(EMBEDDED, {
    ...env,
    ...embeddedVariables('http://127.0.0.1/v1', (name) => `stand-in-${name}`),
  });
  const largest = Math.max(...Object.values(plans).map(({ perMinute }) => perMinute));
  const minute = underLoad ? await minuteForThisMachine(largest, windows.minute) : windows.minute;
  const reference = await startReference({
    minuteSeconds: minute,
    daySeconds: windows.day,
    banSeconds: BAN_MINUTES.lasts * minute,
    ...(plans.enterprise && { plans: { enterprise: plans.enterprise } }),
  });
  const target = readTargetFile(EMBEDDED, {
    ...env,
    ...embeddedVariables(reference.baseUrl, (name) => reference.keys[name]),
  });
  const maxSeconds = Math.max(target.ban.maxSeconds ?? 0, BAN_MINUTES.promised * minute);
  return {
    target: { ...target, windows: { ...windows, minute }, ban: { ...target.ban, maxSeconds } },
    close: () => reference.close(),
  };
}

/** The variables that `config/targets/embedded.yaml` reads. */
export function embeddedVariables(baseUrl: string, keyOf: (name: KeyName) => string): Record<string, string> {
  return {
    PETSTORE_EMBEDDED_URL: baseUrl,
    ...Object.fromEntries(keyNames.map((name) => [`PETSTORE_EMBEDDED_${name.toUpperCase()}_KEY`, keyOf(name)])),
  };
}
