import type { WireRequest } from '../../wire/exchange/connection.js';
import { rawAnswer, readAnswer } from '../../wire/exchange/raw-answer.js';
import type { RequestSpec } from '../../wire/exchange/request-spec.js';
import type { Answer } from '../../wire/exchange/types.js';
import { loadAnswer, type LoadAnswer, wireOf } from '../../drive/load/requests.js';
import type { Carrier } from '../../drive/load/key-session.js';
import { changesOf, type AlteredOptions } from '../index.js';
import { serviceOf } from '../../reference/index.js';
import type { VirtualTime } from './virtual-time.js';

/** Time of each way between client and server on one machine, ms: this long and up to as much more. */
const WAY_MS = 0.15;
const MORE_MS = 0.15;

/** Time from a response to the waiting client, ms. */
const CLIENT_MS = 0.05;

/** Interval at which autocannon checks for its end, ms (`wire/autocannon.ts`). */
const LOOK_MS = 10;

/** A connection; its first request opens it. */
interface Line {
  isOpen: boolean;
}

interface Carried {
  readonly leftAt: number;
  readonly answer: Answer;
}

/**
 * Starts a reference server in virtual time: without sockets, independent of the machine's clock.
 *
 * @param latencyMs extra time of each way, and up to as much more
 */
export function virtualReference(options: Partial<AlteredOptions>, time: VirtualTime, latencyMs = 0) {
  const service = serviceOf({ ...options, now: options.now ?? time.now }, changesOf(options));
  const chance = spread();
  const way = (): number => WAY_MS + latencyMs + (MORE_MS + latencyMs) * chance();

  /**
   * Carries one request and its response over a line. `wakes` is true if someone waits only for this
   * response.
   */
  const carry = (
    line: Line,
    request: WireRequest,
    wakes: boolean,
    came: (carried: Carried) => void,
  ): void => {
    const leave = (): void => {
      const leftAt = time.now();
      time.elsewhere(leftAt + way(), () => {
        const { workMs, answer } = service.take(received(request, line));
        const reply = (): void => {
          const { delayMs, closes, resets, payload, ...head } = answer();
          if (closes || resets) line.isOpen = false;
          const read = resets ? RESET : answerOf(head, payload);
          time.at(time.now() + delayMs + way() + CLIENT_MS, () => came({ leftAt, answer: read }), wakes);
        };
        if (workMs > 0) time.elsewhere(time.now() + workMs, reply);
        else reply();
      });
    };
    if (line.isOpen) return leave();
    line.isOpen = true;
    // A connection takes one way there and one back before it carries anything.
    time.at(time.now() + way() + way(), leave, false);
  };

  const carrier: Carrier = {
    open: () => {
      const line = { isOpen: false };
      return {
        send: (request) =>
          new Promise((resolve) => {
            const sentAt = time.now();
            carry(line, request, true, ({ answer }) =>
              resolve({ sentAt, latencyMs: time.now() - sentAt, attempts: 1, answer }),
            );
          }),
        close: async () => undefined,
      };
    },
    inParallel: ({ connections, context, nextId, next, stopsAt }) =>
      new Promise((resolve) => {
        const answers: LoadAnswer[] = [];
        let underWay = 0;
        let isOver = false;
        const goOn = (line: Line): void => {
          const spec = isOver ? null : next();
          if (spec !== null) return ask(line, spec);
          if (underWay > 0) return;
          // Each connection reaches this; the first one ends it.
          underWay = Infinity;
          const inOrder = answers.toSorted((one, other) => one.sample.sentAt - other.sample.sentAt);
          time.at(time.now() + LOOK_MS * chance(), () => resolve(inOrder));
        };
        const ask = (line: Line, spec: RequestSpec): void => {
          underWay += 1;
          carry(line, wireOf(spec, context), false, ({ leftAt, answer }) => {
            const times = { intendedAt: leftAt, sentAt: leftAt, answeredAt: time.now() };
            const settled = loadAnswer(nextId(), spec, context, times, answer);
            answers.push(settled);
            underWay -= 1;
            if (stopsAt(settled) || answer.kind === 'none') isOver = true;
            goOn(line);
          });
        };
        const lines = Array.from({ length: connections }, () => ({ isOpen: false }));
        lines.forEach(goOn);
      }),
  };
  return { baseUrl: `http://127.0.0.1${service.basePath}`, keys: service.settings.keys, carrier };
}

/** Fraction of the golden section: fractional parts of its multiples spread evenly between 0 and 1. */
const GOLDEN = 0.618_033_988_749_895;

/** Numbers from 0 up to 1, the same in each run. */
function spread(): () => number {
  let last = 0;
  return () => (last = (last + GOLDEN) % 1);
}

const RESET: Answer = { kind: 'none', code: 'reset', message: 'the connection was reset' };

/** More than any response of the reference server. */
const MOST_BYTES = 2 ** 20;

function answerOf(
  { status, headers }: Pick<Extract<Answer, { kind: 'response' }>, 'status' | 'headers'>,
  payload: Buffer,
): Answer {
  return readAnswer(rawAnswer({ status, headers: headers.flat() }, [payload], MOST_BYTES));
}

function received({ method, path: address, headers, body }: WireRequest, connection: object) {
  const [path = '/', query = ''] = address.split('?', 2);
  return {
    method,
    path,
    query: new URLSearchParams(query),
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    headerNames: headers.map(([name]) => name),
    body: body ?? '',
    address: '127.0.0.1',
    connection,
  };
}
