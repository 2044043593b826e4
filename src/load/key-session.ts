import type { OperationName } from '../contract/types.js';
import { openConnection, type Connection, type HttpLimits } from '../exchange/connection.js';
import type { RequestSpec } from '../exchange/sender.js';
import { type ClockBounds, clockBounds } from '../limits/clock.js';
import type { Figures } from '../limits/series.js';
import { answersOf, type LoadAnswer, requestsOf, wireOf, type WireContext, type LoadStore } from './requests.js';
import type { Archive } from './archive.js';
import { inParallel, type ParallelOptions } from './parallel.js';
import type { Reuse } from './reuse.js';
import { wasServed, type Sample } from '../limits/sample.js';
import type { ProfileName, KeyName } from '../contract/names.js';

/** What carries the requests of all sessions: the network, or a simulation of it. */
export interface Carrier {
  readonly open: (origin: string, limits: HttpLimits) => Pick<Connection, 'send' | 'close'>;
  readonly inParallel: (options: ParallelOptions) => Promise<readonly LoadAnswer[]>;
}

/** Carries requests over the network. */
const NETWORK: Carrier = { open: openConnection, inParallel };

/** What a key's session is made of. */
export interface KeySessionOptions {
  readonly key: KeyName;
  readonly figures: Figures;
  readonly origin: string;
  readonly limits: HttpLimits;
  readonly context: WireContext;
  readonly store: LoadStore;
  readonly archive: Archive;
  /** The network unless given. */
  readonly carrier?: Carrier | undefined;
  readonly reuse: Reuse;
  /** Names the next request within the run. */
  readonly nextId: () => string;
  readonly signal: AbortSignal;
}

/** For which profile a request is sent, and where its samples go. */
export interface Sink {
  readonly profile: ProfileName;
  /** Is handed every sample that was put on the wire, as it is answered. */
  readonly take: (sample: Sample) => void;
  /** The session keeps none of them, and they are judged at once: for a profile of many requests that leave time in between. */
  readonly inPassing?: boolean;
  /** Whether the passive rows judge the answer; they do unless this says otherwise. */
  readonly isPassive?: () => boolean;
  /** Is shown each answer as it came, with the text of its body; null where no whole one came. */
  readonly onAnswer?: (sample: Sample, body: string | null) => void;
}

/** A sink that keeps what it is handed, in order. */
export interface Collector extends Sink {
  readonly samples: readonly Sample[];
}

/** A collector that begins empty; `more` says what is else particular about the sink. */
export function collector(profile: ProfileName, more: Pick<Sink, 'isPassive' | 'onAnswer'> = {}): Collector {
  const samples: Sample[] = [];
  return { profile, samples, take: (sample) => void samples.push(sample), ...more };
}

/** What is sent in parallel and when it stops: see `ParallelOptions`. */
export interface ParallelRequests {
  readonly connections: number;
  readonly next: () => OperationName | null;
  readonly stopsAt: (sample: Sample) => boolean;
}

/** What is known of a target from all that one key was answered. */
export interface Seen {
  readonly clock: ClockBounds;
  /** The quickest answer, ms; Infinity before any. */
  readonly quickestMs: number;
}

/** One key's way to the target, and all that was sent with it. */
export interface KeySession {
  readonly key: KeyName;
  readonly figures: Figures;
  /** One request, answered before this returns; its sample is also in the sink. */
  ask(operation: OperationName, sink: Sink, intendedAt?: number): Promise<Sample>;
  /** Requests side by side. */
  inParallel(requests: ParallelRequests, sink: Sink): Promise<readonly Sample[]>;
  /** A session of its own connection for requests that do not wait for each other; its requests count with this one's. */
  fork(): Pick<KeySession, 'ask' | 'close'>;
  /** Every sample of the run with this key but those in passing, in the order of sending but for what ran side by side. */
  samples(): readonly Sample[];
  /** What all answers so far say of the server's clock and of how quick it is, those in passing included. */
  seen(): Seen;
  close(): Promise<void>;
}

/** Opens a session; nothing is sent before it is asked. */
export function openKeySession(options: KeySessionOptions): KeySession {
  const { key, figures, origin, limits, context, archive, carrier = NETWORK, reuse, store, nextId, signal } = options;
  const requests = requestsOf(key, context.run, store);
  const memory = sessionMemory();

  const keep = (answers: readonly LoadAnswer[], sink: Sink): void => {
    const inPassing = sink.inPassing ?? false;
    for (const answer of answers) {
      const { sample, exchange } = answer;
      archive.take(answer, { profile: sink.profile, key, figures, passive: sink.isPassive?.() ?? true, inPassing });
      if (wasServed(sample)) store.learn(exchange);
      memory.keep(sample, sink);
      sink.onAnswer?.(sample, exchange.answer.kind === 'response' ? exchange.answer.text : null);
    }
  };

  const openWay = (): Pick<KeySession, 'ask' | 'close'> => {
    const connection = carrier.open(origin, limits);
    const abort = (): void => void connection.close();
    signal.addEventListener('abort', abort);
    return {
      async ask(operation, sink, intendedAt) {
        const spec = requests(operation);
        const timed = await connection.send(wireOf(spec, context));
        const answers = answersOf(nextId, spec, context, intendedAt ?? null, timed);
        keep(answers, sink);
        const last = answers.at(-1);
        if (last === undefined) throw new RangeError('A request was put on the wire no time.');
        return last.sample;
      },
      close: () => {
        signal.removeEventListener('abort', abort);
        return connection.close();
      },
    };
  };
  const way = openWay();

  return {
    key,
    figures,
    ask: way.ask,
    async inParallel({ connections, next, stopsAt }, sink) {
      const answers = await carrier.inParallel({
        origin,
        limits,
        context,
        connections,
        reuse,
        nextId,
        next: (): RequestSpec | null => {
          const operation = next();
          return operation === null ? null : requests(operation);
        },
        stopsAt: ({ sample }) => stopsAt(sample),
        signal,
      });
      keep(answers, sink);
      return answers.map(({ sample }) => sample);
    },
    fork: openWay,
    samples: memory.samples,
    seen: memory.seen,
    close: way.close,
  };
}

/** What a session keeps of the answers that it got. */
export interface SessionMemory extends Pick<KeySession, 'samples' | 'seen'> {
  /** Notes a sample for the session, and hands it to the sink that it was sent for. */
  keep(sample: Sample, sink: Pick<Sink, 'take' | 'inPassing'>): void;
}

/** The memory of a session that was answered nothing yet. */
export function sessionMemory(): SessionMemory {
  const all: Sample[] = [];
  let seen: Seen = { clock: clockBounds.none, quickestMs: Infinity };
  return {
    keep(sample, sink) {
      seen = {
        clock: clockBounds.with(seen.clock, sample),
        quickestMs: Math.min(seen.quickestMs, sample.answeredAt - sample.sentAt),
      };
      if (sink.inPassing !== true) all.push(sample);
      sink.take(sample);
    },
    samples: () => all,
    seen: () => seen,
  };
}
