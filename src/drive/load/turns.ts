import { RESTS_MS } from '../../wire/exchange/refused-connection.js';

/* Whether keys take turns, or send at the same time. */

/** Latency of a target on or near this machine, ms: there, parallel bursts would only slow each other. */
const NEARBY_MS = 2;

/** Longest time for which parallel requests wait for those of another key, ms: their window goes on. */
export const LONGEST_TURN_MS = 1000;

/** Use of a run's connections when a key wants to send parallel requests. */
interface Crowd {
  /** True if the server has refused a connection, however long ago. */
  readonly hasRefused: boolean;
  /** Connections that others use. */
  readonly busy: number;
  /** Connections that the key would use. */
  readonly wanted: number;
  /** Connections that a server should allow. */
  readonly most: number;
}

/** Is true if the whole bursts of two keys take turns. @param quickestMs time of the quickest response */
export const burstsTakeTurns = (quickestMs: number): boolean => quickestMs < NEARBY_MS;

/**
 * Is true if a key's parallel requests wait until those of others end. A burst that loses requests shows
 * little, so once the server has refused a connection, two keys that need many take turns.
 */
export const waitsForOthers = ({ hasRefused, busy, wanted, most }: Crowd): boolean =>
  hasRefused && busy > 0 && busy + wanted > most;

/**
 * Is true if a key whose every connection was refused tries again after others.
 *
 * @param inARow how often it did
 */
export const triesAfterOthers = (isShared: boolean, inARow: number): boolean =>
  isShared && inARow < RESTS_MS.length;
