import type { TestContext } from 'node:test';
import { startReference, type ReferenceOptions } from '../../reference/index.js';

/** Starts a reference server for a test; returns its address and the key of its largest plan but one. */
export async function server(t: TestContext, options: Partial<ReferenceOptions> = {}) {
  const { baseUrl, keys, close } = await startReference(options);
  t.after(close);
  return { baseUrl, keys: { business: keys.business } };
}
