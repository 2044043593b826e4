import type { OperationName } from '../../base/interface/types.js';
import type { Random } from '../../base/kernel/random.js';
import type { SimulatedServer } from '../limiters/server.js';
import type { Sample } from '../../judge/limits/sample.js';
import type { Figures } from '../../judge/limits/bounds.js';
import { sessionMemory, type KeySession, type Sink } from '../../drive/load/key-session.js';
import { bounded, newStanding } from '../../drive/load/refusal-bound.js';
import type { Machine, VirtualTime } from '../../proof/selftest/virtual-time.js';
import type { KeyName } from '../../base/interface/names.js';

/** Delay from a response to the code that awaits it, ms, as on a real machine. */
const CLIENT_MS = 0.05;

/** Interval of autocannon's checks for its end, ms (`wire/autocannon.ts`): a send ends at its next check. */
const LOOK_MS = 10;

/** Parts of a session in virtual time. */
export interface VirtualLine {
  readonly key: KeyName;
  readonly figures: Figures;
  readonly server: SimulatedServer;
  readonly time: VirtualTime;
  readonly random: Random;
  readonly machine: Machine;
}

/** Connection; its first request opens it. */
interface Connection {
  readonly place: number;
  isOpen: boolean;
}

/**
 * Creates one key's session with a simulated server. The driver cannot distinguish it from a session with a
 * target.
 */
export function virtualSession({ key, figures, server, time, random, machine }: VirtualLine): KeySession {
  const memory = sessionMemory();
  const standing = newStanding(figures);

  let opened = 0;
  const open = (): Connection => ({ place: opened++, isOpen: false });

  const keep = (sample: Sample, sink: Sink): void => {
    memory.keep(sample, sink);
    sink.onAnswer?.(sample, null);
  };

  /** Sends immediately; a request reaches the server at its arrival time, independent of earlier ones. */
  const send = (
    connection: Connection,
    operation: OperationName,
    intendedAt: number | undefined,
    answered: (sample: Sample) => void,
    wakes: boolean,
  ): void => {
    const sentAt = time.now();
    const write = (): void => {
      const way = server.travel(machine.writes(time.now()));
      time.elsewhere(way.arrivesAt, () => {
        const sample = server.answer(
          { ...way, sentAt },
          key,
          operation,
          intendedAt ?? sentAt,
          connection.place,
        );
        const read = (): void =>
          answered({ ...sample, answeredAt: Math.max(sample.answeredAt, time.now() - CLIENT_MS) });
        time.at(sample.answeredAt + CLIENT_MS, read, wakes);
      });
    };
    // A new connection costs one round trip.
    if (connection.isOpen) return write();
    connection.isOpen = true;
    time.at(server.travel(sentAt).answeredAt, write, false);
  };

  const openWay = (): Pick<KeySession, 'ask' | 'close'> => {
    const connection = open();
    return {
      ask: (operation, sink, intendedAt) =>
        new Promise((resolve) => {
          const answered = (sample: Sample): void => {
            standing.meets(sample);
            keep(sample, sink);
            resolve(sample);
          };
          standing.leaves();
          send(connection, operation, intendedAt, answered, true);
        }),
      close: async () => undefined,
    };
  };
  const way = openWay();

  return {
    key,
    figures,
    ask: way.ask,
    inParallel: (parallel, sink) =>
      new Promise((resolve) => {
        const { connections, next, stopsAt } = bounded(parallel, standing);
        const answers: Sample[] = [];
        let underWay = 0;
        let halted = false;
        let isOver = false;
        const end = (): void => {
          const ordered = answers.toSorted((one, other) => one.sentAt - other.sentAt);
          for (const sample of ordered) keep(sample, sink);
          resolve(ordered);
        };
        const goOn = (connection: Connection): void => {
          const operation = halted ? null : next();
          if (operation === null) {
            if (underWay > 0 || isOver) return;
            isOver = true;
            return time.at(time.now() + random() * LOOK_MS, end);
          }
          underWay += 1;
          const answered = (sample: Sample): void => {
            underWay -= 1;
            answers.push(sample);
            if (stopsAt(sample)) halted = true;
            goOn(connection);
          };
          send(connection, operation, undefined, answered, false);
        };
        for (let more = 0; more < connections; more += 1) goOn(open());
      }),
    fork: openWay,
    refused: standing.refused,
    unserved: standing.unserved,
    room: standing.room,
    samples: memory.samples,
    quickestMs: memory.quickestMs,
    close: way.close,
  };
}
