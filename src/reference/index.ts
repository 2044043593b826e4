/** Reference server: a sound one, its conformant variants, and its single flaws. */
export { startReference, type Reference } from './server.js';
export { changesOf } from './changes-of.js';
export { serviceOf } from './service.js';
export { flaws, rareFlaws, variants } from './catalogue.js';
export { faultsOf, mayTurn, named, type Flaw, type Half, type Variant } from './registry.js';
export type { ReferenceOptions } from './options.js';
export { flawedClients } from './clients/flawed.js';
export { soundClients } from './clients/well-behaved.js';
export type { ReferenceClient } from './clients/reference-client.js';
