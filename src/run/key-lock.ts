import { createHash } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Target } from '../target/target.js';
import { UsageError } from './usage-error.js';

/**
 * Refuses a second run with the same key on the same base address on this machine: the two would use up each other's
 * allowance, and both verdicts would be about neither. A lock whose process is gone does not count.
 * @returns a function that gives the locks back
 * @throws UsageError key-in-use
 */
export function lockKeys(target: Pick<Target, 'baseUrl' | 'keys' | 'sacrificial'>): () => void {
  const held: string[] = [];
  const release = () => held.splice(0).forEach((file) => rmSync(file, { force: true }));
  const secrets = [
    ...Object.entries(target.keys),
    ...(target.sacrificial ? [['sacrificial', target.sacrificial.key] as const] : []),
  ];
  try {
    for (const [plan, key] of secrets) held.push(lock(fileFor(target.baseUrl, key.reveal()), plan, target.baseUrl));
  } catch (error) {
    release();
    throw error;
  }
  return release;
}

/** The name says nothing about the key: it is a digest of key and address together. */
function fileFor(baseUrl: string, key: string): string {
  const digest = createHash('sha256').update(`${baseUrl}\n${key}`).digest('hex').slice(0, 32);
  return join(tmpdir(), `petstore-conformance-${digest}.lock`);
}

function lock(file: string, plan: string, baseUrl: string): string {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      claim(file);
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const owner = ownerOf(file);
      if (owner !== null && isAlive(owner))
        throw new UsageError(
          'key-in-use',
          `Another run (process ${owner}) is using the ${plan} key on ${baseUrl}.`,
          'Wait for it to end, or give this run another key: two runs on one key would spoil each other’s figures.',
          { cause: error },
        );
      rmSync(file, { force: true });
    }
  }
  throw new UsageError(
    'key-in-use',
    `Another run has just taken the ${plan} key on ${baseUrl}.`,
    'Wait for it to end, or give this run another key.',
  );
}

/** Makes the lock with its owner in it at one stroke: a lock that stood empty for a moment would look like a dead one. */
function claim(file: string): void {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  // Another user's run has to see whose it is.
  chmodSync(own, 0o644);
  try {
    linkSync(own, file);
  } finally {
    rmSync(own, { force: true });
  }
}

function ownerOf(file: string): number | null {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
