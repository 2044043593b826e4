import { openConnection, type TimedAnswer } from '../exchange/connection.js';
import type { RequestSpec } from '../exchange/sender.js';
import { loadAnswer, putAside, type LoadAnswer } from './answers.js';
import { wireOf, type WireContext } from './requests.js';
import { inOrderOfSending, type SendsInParallel } from './parallel.js';

/**
 * What a request became, one answer for each time that it was put on the wire: a request that died on a reused
 * connection before a byte came back was sent twice, and the first may have reached the server too.
 */
export function answersOf(
  nextId: () => string,
  spec: RequestSpec,
  context: WireContext,
  intendedAt: number | null,
  { sentAt, latencyMs, attempts, answer }: TimedAnswer,
): readonly LoadAnswer[] {
  const times = { intendedAt: intendedAt ?? sentAt, sentAt, answeredAt: sentAt + latencyMs };
  const last = loadAnswer(nextId(), spec, context, times, answer);
  if (attempts === 1) return [last];
  const lost = { kind: 'none', code: 'reset', message: 'the kept connection was closed' } as const;
  return [loadAnswer(nextId(), spec, context, times, lost), last];
}

/** Fires requests in parallel over plain connections, which are opened anew where the server closes them. */
export const overPlainConnections: SendsInParallel = async (options) => {
  const { origin, limits, context, signal } = options;
  const answers: LoadAnswer[] = [];
  let halted = signal.aborted;

  async function drive(): Promise<void> {
    const connection = openConnection(origin, limits);
    const abort = (): void => void connection.close();
    signal.addEventListener('abort', abort);
    try {
      for (let spec = next(); spec !== null; spec = next()) {
        const timed = await connection.send(wireOf(spec, context));
        const came = answersOf(options.nextId, spec, context, null, timed).map(putAside);
        answers.push(...came);
        const last = came.at(-1);
        if (last !== undefined && options.stopsAt(last)) halted = true;
      }
    } finally {
      signal.removeEventListener('abort', abort);
      await connection.close();
    }
  }
  const next = (): RequestSpec | null => (halted || signal.aborted ? null : options.next());

  await Promise.all(Array.from({ length: options.connections }, drive));
  return inOrderOfSending(answers);
};
