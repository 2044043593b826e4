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
