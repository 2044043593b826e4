import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Lets a server listen at an address; port 0 is a free one. Returns its port, and what ends it with all its
 * connections: idle ones would keep it open. Throws errors of the port.
 */
export async function listenAt(server: Server, port: number, host: string) {
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async (): Promise<void> => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
