import { createHash } from 'node:crypto';
import { chmodSync, linkSync, lstatSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRegularFile, whyUnreadable } from '../base/kernel/yaml-source.js';
import { keyNames, type KeyName } from '../base/interface/names.js';
import type { Target } from '../wire/targets/target.js';
import { namedKeys } from '../wire/targets/keys.js';
import { UsageError } from '../base/kernel/errors.js';

/**
 * Refuses a second run with the same key and address on this machine: both would use one rate limit.
 * @param only the keys that are used; absent for all
 * @throws UsageError key-in-use
 */
export function lockKeys(
  target: Pick<Target, 'baseUrl' | 'keys' | 'sacrificial'>,
  only: readonly KeyName[] = keyNames,
): Disposable {
  const held: string[] = [];
  const release = () => held.splice(0).forEach((file) => rmSync(file, { force: true }));
  try {
    for (const [name, key] of namedKeys(target))
      if (only.includes(name)) held.push(lock(fileFor(target.baseUrl, key.reveal()), name, target.baseUrl));
  } catch (error) {
    release();
    throw error;
  }
  return { [Symbol.dispose]: release };
}

/** The name reveals nothing about the key: it is a digest of key and address. */
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
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw noTemporaryFolder(error);
      const owner = ownerOf(file);
      if (owner !== null && isAlive(owner))
        throw new UsageError(
          'key-in-use',
          `Another run (process ${owner.pid}) is using the ${plan} key on ${baseUrl}.`,
          `Wait for it to end, or use another key: two runs on one key would distort each other’s figures. Its lock is ${file}.`,
          { cause: error },
        );
      remove(file, plan, baseUrl);
    }
  }
  throw new UsageError(
    'key-in-use',
    `Another run has just locked the ${plan} key on ${baseUrl}.`,
    `Wait for it to end, or use another key. Its lock is ${file}.`,
  );
}

/** Says what is wrong with the folder for temporary files. */
const noTemporaryFolder = (cause: unknown): UsageError =>
  new UsageError(
    'temporary-folder',
    `No file can be written into ${tmpdir()}, the folder for temporary files (${whyUnreadable(cause)}).`,
    'Set TMPDIR to a folder that exists and is writable.',
    { cause },
  );

/** Removes a dead lock. In a shared folder, another user's lock cannot be removed. */
function remove(file: string, plan: string, baseUrl: string): void {
  try {
    unlinkSync(file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return;
    const uid = lstatSync(file, { throwIfNoEntry: false })?.uid;
    throw new UsageError(
      'key-in-use',
      `The lock of the ${plan} key on ${baseUrl} cannot be removed: ${file} belongs to ${uid === undefined ? 'another user' : `user ${uid}`}.`,
      'The run that made it has ended, or the file is no lock. Let its owner remove it, or set another TMPDIR.',
      { cause },
    );
  }
}

/** Creates the lock with its owner atomically: an empty one would look dead. */
function claim(file: string): void {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, [process.pid, startOf(process.pid) ?? ''].join(' ').trimEnd());
  // Another user's run must be able to read the owner.
  chmodSync(own, 0o644);
  try {
    linkSync(own, file);
  } finally {
    rmSync(own, { force: true });
  }
}

/** Largest lock: a number, the boot and ticks. */
const MOST_BYTES = 1000;

/** Process that made a lock, and its start time if the system provides it. */
function ownerOf(file: string) {
  try {
    const [pid = '', start = null] = readRegularFile(file, MOST_BYTES).split(' ');
    return /^[1-9]\d*$/.test(pid) ? { pid: Number(pid), start } : null;
  } catch {
    return null;
  }
}

/** True if the process of a lock still runs, and its number was not reused. */
function isAlive({ pid, start }: NonNullable<ReturnType<typeof ownerOf>>): boolean {
  const now = startOf(pid);
  if (start !== null && now !== null) return start === now;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Start of a process on Linux: the boot, and ticks since then (proc(5), field 22 of stat); null elsewhere. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may contain blanks and parentheses.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}/${ticks}`;
  } catch {
    return null;
  }
}
