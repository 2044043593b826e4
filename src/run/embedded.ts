import { startReference } from '../reference/index.js';
import type { Environment } from '../target/placeholders.js';
import { readTargetFile } from '../target/load-target.js';
import type { Target } from '../target/target.js';

/** The target that `run` brings with it. */
export const EMBEDDED = 'embedded';

/** The reference server on a free loopback port, as a target, and how to end it. */
export interface Embedded {
  readonly target: Target;
  readonly close: () => Promise<void>;
}

/** Starts the reference server with the windows of `config/targets/embedded.yaml`. */
export async function startEmbedded(env: Environment): Promise<Embedded> {
  // The file says how long the windows are before the server can say where it listens.
  const { windows, plans } = readTargetFile(EMBEDDED, {
    ...env,
    ...variables('http://127.0.0.1/v1', (name) => `stand-in-${name}`),
  });
  const reference = await startReference({
    minuteSeconds: windows.minute,
    daySeconds: windows.day,
    ...(plans.enterprise && { plans: { enterprise: plans.enterprise } }),
  });
  const target = readTargetFile(EMBEDDED, { ...env, ...variables(reference.baseUrl, (name) => reference.keys[name]) });
  return { target, close: () => reference.close() };
}

const NAMES = ['free', 'pro', 'business', 'enterprise', 'sacrificial'] as const;

function variables(baseUrl: string, keyOf: (name: (typeof NAMES)[number]) => string): Record<string, string> {
  return {
    PETSTORE_EMBEDDED_URL: baseUrl,
    ...Object.fromEntries(NAMES.map((name) => [`PETSTORE_EMBEDDED_${name.toUpperCase()}_KEY`, keyOf(name)])),
  };
}
