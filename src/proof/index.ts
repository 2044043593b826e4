/**
 * The kit's own proof: conformant variants and single flaws of the reference server, and clients of both
 * kinds.
 */
export { startAltered } from './start-altered.js';
export { changesOf, type AlteredOptions } from './changes-of.js';
export { flaws, rareFlaws, variants } from './catalogue.js';
export { faultsOf, mayTurn, named, type Flaw, type Half, type Variant } from './registry.js';
export { flawedClients } from './clients/flawed.js';
export { soundClients } from './clients/well-behaved.js';
export type { ReferenceClient } from './clients/reference-client.js';
