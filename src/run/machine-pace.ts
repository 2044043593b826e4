import { openConnection } from '../exchange/connection.js';
import { startReference } from '../reference/index.js';

/** Until the code is warm. */
const WARMING_UP = 100;
/** Enough for a hiccup to be one of many. */
const REQUESTS = 150;
/** A burst is followed by single requests and shares the machine with what judges it. */
const SLOWER_THAN_ALONE = 2;
/** Beyond it nobody would wait; a machine that needs more shows as not established. */
const MOST_SECONDS = 8;

/**
 * How many seconds a minute of the embedded server has to last for the largest plan's allowance to be asked for within
 * one, server and kit on this machine together: at least `least`.
 * @param perMinute the largest plan's requests per minute
 */
export async function minuteForThisMachine(perMinute: number, least: number): Promise<number> {
  const reference = await startReference({ minuteSeconds: 60 });
  const { origin, pathname } = new URL(reference.baseUrl);
  const connection = openConnection(origin, { timeoutMs: 10_000, maxBodyBytes: 1_048_576 });
  try {
    const request = {
      method: 'GET',
      path: `${pathname}/pets?limit=1`,
      headers: [['Authorization', `Bearer ${reference.keys.business}`]] as const,
      body: null,
    };
    const send = async (count: number): Promise<void> => {
      for (let sent = 0; sent < count; sent += 1) await connection.send(request);
    };
    await send(WARMING_UP);
    const since = performance.now();
    await send(REQUESTS);
    const msEach = (performance.now() - since) / REQUESTS;
    const needed = Math.ceil((SLOWER_THAN_ALONE * perMinute * msEach) / 1000);
    return Math.min(MOST_SECONDS, Math.max(least, needed));
  } finally {
    await connection.close();
    await reference.close();
  }
}
