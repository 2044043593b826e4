/** Reference server: the sound one. Its variants and flaws are in `src/proof`. */
export { startReference, type Reference } from './server.js';
export { serviceOf, type Alteration } from './service.js';
export type { Change } from './behaviour.js';
export type { ReferenceOptions } from './options.js';
