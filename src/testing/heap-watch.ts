/*
 * Loaded before the command (`node --expose-gc --import`): writes on standard error what the heap holds, in bytes, after
 * each collection that it asks for.
 */

/** Often enough for a curve, seldom enough that collecting does not slow the command down. */
const EVERY_MS = 1000;

setInterval(() => {
  globalThis.gc?.();
  process.stderr.write(`heap ${process.memoryUsage().heapUsed} rss ${process.memoryUsage.rss()}\n`);
}, EVERY_MS).unref();
