import NodeHttpAdapter from '@pollyjs/adapter-node-http';
import { Polly } from '@pollyjs/core';
import Persister from '@pollyjs/persister';
import { create, type AxiosInstance } from 'axios';
import { AxiosHarTracker } from 'axios-har-tracker';
import { text } from 'node:stream/consumers';

/** Libraries from npm that record HAR files, by their names there. */
export const RECORDERS = ['@pollyjs/core', 'axios-har-tracker'] as const;
export type Recorder = (typeof RECORDERS)[number];

/** What a recorder is asked for, as JSON at its standard input. */
export interface Recording {
  readonly recorder: Recorder;
  readonly baseUrl: string;
  readonly key: string;
  /** Bodies to create, after some listings. */
  readonly creations: readonly string[];
}

type Work = (client: AxiosInstance) => Promise<void>;

// Their types describe a default export, and Node takes the classes for the modules.
const PollyPersister = Persister as unknown as typeof Persister.default;
const PollyHttp = NodeHttpAdapter as unknown as typeof NodeHttpAdapter.default;

/** Records what a client does through Node's `http`, as Polly does for tests. */
async function byPolly(work: Work): Promise<unknown> {
  let saved: unknown;
  class InMemory extends PollyPersister {
    static override get id(): string {
      return 'in-memory';
    }
    override onFindRecording = (): Promise<null> => Promise.resolve(null);
    override onSaveRecording = (_: string, recording: unknown): Promise<void> =>
      Promise.resolve(void (saved = recording));
    override onDeleteRecording = (): Promise<void> => Promise.resolve();
  }
  Polly.register(PollyHttp);
  Polly.register(InMemory);
  const polly = new Polly('a client', {
    adapters: ['node-http'],
    persister: 'in-memory',
    mode: 'record',
    recordFailedRequests: true,
    logLevel: 'silent',
  });
  await work(create({ validateStatus: () => true }));
  await polly.stop();
  return saved;
}

/** Records what an axios client does by its interceptors. */
async function byTracker(work: Work): Promise<unknown> {
  // Its types are those of axios for CommonJS.
  const client = create({ validateStatus: () => true });
  const tracker = new AxiosHarTracker(client as never);
  await work(client);
  return tracker.getGeneratedHar();
}

const BY: Readonly<Record<Recorder, (work: Work) => Promise<unknown>>> = {
  '@pollyjs/core': byPolly,
  'axios-har-tracker': byTracker,
};

// Both change Node's `http`, so they run in a process of their own.
if (import.meta.filename === process.argv[1]) {
  const { recorder, baseUrl, key, creations } = JSON.parse(await text(process.stdin)) as Recording;
  const har = await BY[recorder](async (client) => {
    const headers = { Authorization: `Bearer ${key}` };
    for (const query of ['?limit=50', '', '?limit=3', '?status=sold'])
      await client.get(`${baseUrl}/pets${query}`, { headers });
    for (const body of creations)
      await client.post(`${baseUrl}/pets`, body, {
        headers: { ...headers, 'Content-Type': 'application/json' },
      });
  });
  process.stdout.write(JSON.stringify(har));
}
