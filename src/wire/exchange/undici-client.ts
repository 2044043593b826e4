import { createRequire } from 'node:module';
import type * as Undici from 'undici';

const require = createRequire(import.meta.url);

/*
 * The parts of undici that a connection uses. The whole library, with fetch, caches and mocks, takes three times as long to
 * load, in each process of a run. These paths belong to the exact version that package.json names.
 */

export const Client = require('undici/lib/dispatcher/client.js') as typeof Undici.Client;
export const buildConnector = require('undici/lib/core/connect.js') as typeof Undici.buildConnector;
export const errors = require('undici/lib/core/errors.js') as typeof Undici.errors;
