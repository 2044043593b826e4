import { existsSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { freePort } from '../../loopback.js';
import { startProcess, type Running } from './command.js';
import { folder } from './folder.js';

/** Path in Debian's package. */
export const REDIS = '/usr/bin/redis-server';

/** Real Redis that keeps nothing on disk. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Restarts it empty on the same port. */
  restart(): Promise<void>;
  /** Lets it stand still: its connections stay, and it responds no more. */
  freeze(this: void): void;
  stop(): Promise<void>;
}

/**
 * Starts a Redis on a free port.
 *
 * @param words further settings
 * @param setting the setting that takes the port
 */
export async function redisServer(
  t: Pick<TestContext, 'after'>,
  words: readonly string[] = [],
  setting: 'port' | 'tls-port' = 'port',
): Promise<RedisServer> {
  if (!existsSync(REDIS))
    throw new Error(`${REDIS} is missing: sudo apt-get install -y --no-install-recommends redis-server`);
  const port = await freePort();
  const cwd = folder(t as TestContext);
  let running: Running;
  const start = async (): Promise<void> => {
    running = startProcess(
      REDIS,
      [
        ...(setting === 'port' ? [] : ['--port', '0']),
        `--${setting}`,
        String(port),
        '--bind',
        '127.0.0.1',
        '--save',
        '',
        '--appendonly',
        'no',
        ...words,
      ],
      {
        cwd,
      },
    );
    await running.shows(/Ready to accept connections/);
  };
  const stop = async (): Promise<void> => {
    // A frozen one heeds no other signal.
    running.child.kill('SIGKILL');
    await running.ended;
  };
  /** What a test has begun and need not have awaited. */
  let restarting = Promise.resolve();
  await start();
  t.after(async () => {
    await restarting;
    await stop();
  });
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    stop,
    freeze: () => void running.child.kill('SIGSTOP'),
    restart: () => (restarting = stop().then(start)),
  };
}
