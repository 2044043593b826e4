import { startReference } from '../reference/index.js';
import { type AlteredOptions, changesOf } from './changes-of.js';

/**
 * Starts a reference server with the variants and flaws that the options name. Throws `UsageError` for an
 * unknown name, and errors of the port.
 */
export const startAltered = async (options: Partial<AlteredOptions> = {}) =>
  startReference(options, changesOf(options));
