/*
 * Loaded before the command (`node --expose-gc --import`). Collects garbage at an interval and writes the heap's size
 * in bytes to standard error.
 */

/** Often enough for a curve, rarely enough not to slow the command down. */
const EVERY_MS = 1000;

setInterval(() => {
  globalThis.gc?.();
  process.stderr.write(`heap ${process.memoryUsage().heapUsed} rss ${process.memoryUsage.rss()}\n`);
}, EVERY_MS).unref();
