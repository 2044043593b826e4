import { listedUpTo } from '../base/kernel/format.js';
import { availableParallelism, cpus, totalmem } from 'node:os';

const GIB = 2 ** 30;

/**
 * Returns the processors and memory of this machine: runs of machines that differ in them are not compared by
 * speed.
 */
export function thisMachine(): string {
  const [{ model } = { model: 'unknown' }] = cpus();
  return `${availableParallelism()} x ${model.trim()}, ${Math.round(totalmem() / GIB)} GiB, ${process.platform} ${process.arch}`;
}

/** Most parts of which a sentence about their machines names each. */
const MOST_NAMED = 3;

/** Names the machine of a sentence: this one, or that of the parts of a whole. */
export const machineOf = (parts: readonly string[] = []): string =>
  parts.length === 0 ? 'this machine' : `the machine of ${listedUpTo(parts, MOST_NAMED)}`;
