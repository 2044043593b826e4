import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Turns of the event loop until a request that was sent before has been read: its connection is accepted in
 * one, and it is read in the next.
 */
const TURNS_TO_READ = 3;

/**
 * Lets a server listen at an address; port 0 is a free one. Returns its port, and what ends it with all its
 * connections: idle ones would keep it open. Requests that were sent before have arrived then. Throws errors
 * of the port.
 */
export async function listenAt(server: Server, port: number, host: string) {
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async (): Promise<void> => {
      if (!server.listening) return;
      for (let turn = 0; turn < TURNS_TO_READ; turn += 1) await new Promise(setImmediate);
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
