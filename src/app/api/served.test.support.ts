import type { TestContext } from 'node:test';
import { startAltered, type AlteredOptions } from '../../proof/index.js';

/** Starts a reference server for a test; returns its address and the key of its largest plan but one. */
export async function server(t: TestContext, options: Partial<AlteredOptions> = {}) {
  const { baseUrl, keys, close } = await startAltered(options);
  t.after(close);
  return { baseUrl, keys: { business: keys.business } };
}
