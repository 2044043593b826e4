import type { OperationName } from '../../base/interface/types.js';
import { Connection, type HttpLimits, type Watching } from '../../wire/exchange/connection.js';
import type { Figures } from '../../judge/limits/bounds.js';
import { answersOf, type LoadAnswer, requestsOf, wireOf, type LoadStore } from './requests.js';
import type { Keeper } from './keeper.js';
import { inParallel, type ParallelOptions } from './parallel.js';
import { placed } from './placed.js';
import { Places } from './places.js';
import { bounded, newStanding, type ParallelRequests } from './refusal-bound.js';
import { wasServed, type Sample } from '../../judge/limits/sample.js';
import type { ProfileName, KeyName } from '../../base/interface/names.js';

/** Carries the requests of all sessions: the network, or a simulation. */
export interface Carrier {
  readonly open: (
    origin: string,
    limits: HttpLimits,
    watching: Pick<Watching, 'reuse' | 'isUrgent'>,
  ) => Pick<Connection, 'send' | 'close'>;
  readonly inParallel: (options: ParallelOptions) => Promise<readonly LoadAnswer[]>;
}

/** Returns the network as the carrier of all sessions of a run: they share the places for connections. */
export function network(): Carrier {
  const places = new Places();
  return {
    open: (origin, limits, watching) => placed(places, () => new Connection(origin, limits, watching)),
    inParallel: (options) => inParallel(options, places),
  };
}

interface KeySessionOptions extends Omit<ParallelOptions, keyof ParallelRequests> {
  readonly key: KeyName;
  readonly figures: Figures;
  readonly store: LoadStore;
  readonly keeper: Keeper;
  /** Default: the network, of this session only. */
  readonly carrier?: Carrier | undefined;
}

export interface Sink {
  readonly profile: ProfileName;
  /** Receives every sample of a sent request when its response comes. */
  readonly take: (sample: Sample) => void;
  /** True if responses are judged immediately and not kept: for many requests with time between. */
  readonly inPassing?: boolean;
  /** Is true if the passive checks judge the response (default). */
  readonly isPassive?: () => boolean;
  /** Receives each response with the text of its body; null without a complete one. */
  readonly onAnswer?: (sample: Sample, body: string | null) => void;
}

interface Collector extends Sink {
  readonly samples: readonly Sample[];
}

export function collector(profile: ProfileName, more: Pick<Sink, 'isPassive' | 'onAnswer'> = {}): Collector {
  const samples: Sample[] = [];
  return { profile, samples, take: (sample) => void samples.push(sample), ...more };
}

/** One key's connection to the target, with all its requests. */
export type KeySession = Readonly<ReturnType<typeof openKeySession>>;

/**
 * Opens a session. It sends nothing by itself. It is no line as of the suites (`probes/line.ts`): a 429 is a
 * result here, and only the caller waits. Refusals in a row bound it, not a number of requests, and parallel
 * requests go on until a response ends them.
 */
export function openKeySession(options: KeySessionOptions) {
  const {
    key,
    figures,
    origin,
    limits,
    context,
    keeper,
    carrier = network(),
    store,
    nextId,
    reuse,
    signal,
  } = options;
  const requests = requestsOf(key, context.run, store);
  const memory = sessionMemory();
  const standing = newStanding(figures);

  const keep = (answers: readonly LoadAnswer[], sink: Sink): void => {
    const inPassing = sink.inPassing ?? false;
    for (const answer of answers) {
      const { sample, exchange } = answer;
      keeper.take(answer, {
        profile: sink.profile,
        key,
        figures,
        passive: sink.isPassive?.() ?? true,
        inPassing,
      });
      if (wasServed(sample)) store.learn(exchange);
      memory.keep(sample, sink);
      sink.onAnswer?.(sample, exchange.answer.kind === 'response' ? exchange.answer.text : null);
    }
  };

  const openWay = (isUrgent = false) => {
    const connection = carrier.open(origin, limits, { reuse, isUrgent });
    const abort = (): void => void connection.close();
    signal.addEventListener('abort', abort);
    return {
      /** Sends one request and waits for the response; the sink gets its sample too. */
      ask: async (operation: OperationName, sink: Sink, intendedAt?: number): Promise<Sample> => {
        const spec = requests(operation);
        standing.leaves();
        const timed = await connection.send(wireOf(spec, context));
        const answers = answersOf(nextId, spec, context, intendedAt ?? null, timed);
        const last = answers.at(-1);
        if (last === undefined) throw new RangeError('No attempt of a request was sent.');
        standing.meets(last.sample);
        keep(answers, sink);
        return last.sample;
      },
      close: (): Promise<void> => {
        signal.removeEventListener('abort', abort);
        return connection.close();
      },
    };
  };
  return {
    key,
    figures,
    ...openWay(),
    /** Sends parallel requests, never more at the same time than the bound of refusals allows. */
    async inParallel(parallel: ParallelRequests, sink: Sink): Promise<readonly Sample[]> {
      const { connections, next, stopsAt, ended } = bounded(parallel, standing);
      const answers = await carrier.inParallel({
        ...options,
        connections,
        next: () => {
          const operation = next();
          return operation === null ? null : requests(operation);
        },
        stopsAt: ({ sample }) => stopsAt(sample),
      });
      ended();
      keep(answers, sink);
      return answers.map(({ sample }) => sample);
    },
    /** Opens a session with its own connection, for concurrent requests; they count with this session's. */
    fork: () => openWay(true),
    /** Returns the number of refusals in a row that the key has met. */
    refused: standing.refused,
    unserved: standing.unserved,
    /** Returns how many more requests may leave now: all that do not fit may be refused. */
    room: standing.room,
    /** Returns the run's samples with this key. Only parallel ones are out of order. */
    samples: memory.samples,
    quickestMs: memory.quickestMs,
  };
}

export function sessionMemory() {
  const all: Sample[] = [];
  let quickestMs = Infinity;
  return {
    keep(sample: Sample, sink: Pick<Sink, 'take'>): void {
      quickestMs = Math.min(quickestMs, sample.answeredAt - sample.sentAt);
      all.push(sample);
      sink.take(sample);
    },
    samples: (): readonly Sample[] => all,
    /** Returns the time of the quickest response, ms; infinite before any. */
    quickestMs: (): number => quickestMs,
  };
}
