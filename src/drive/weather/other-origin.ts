import { recordedServer } from './recorded-server.js';

/** Starts the server that redirects lead to: another origin, which records what key it gets. */
export const otherOrigin = (options: Omit<Parameters<typeof recordedServer>[0], 'isElsewhere' | 'respond'>) =>
  recordedServer({
    ...options,
    isElsewhere: true,
    respond: () =>
      Promise.resolve({ status: 200, headers: [['Content-Type', 'application/json']], payload: Buffer.from('[]') }),
  });
