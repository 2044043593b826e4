import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** What a client is given, as a command under test is. */
export interface Place {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string;
  readonly key: string;
  /** Random numbers from 0 to 1. */
  readonly random: () => number;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface Refused extends Answer {
  /** 1 after the first refusal of this request. */
  readonly attempt: number;
  /** Wait that was taken before, ms; 0 at the first. */
  readonly before: number;
  readonly method: string;
  readonly random: () => number;
}

/** The end of a client that does not repeat a refused request. Going on with others would use the key. */
export class GaveUp extends Error {
  override readonly name = 'GaveUp';
}

/** Returns how long to wait after a refusal, ms; null to give up. */
export type Waiting = (refused: Refused) => number | null;

export interface Manners {
  readonly wait: Waiting;
  readonly sign: (key: string) => Readonly<Record<string, string>>;
  readonly address: (baseUrl: string, path: string, key: string) => string;
  readonly connections: number;
  readonly keepAlive: boolean;
}

/** A sound client's manners: it waits for Retry-After, adds a growing time, and gives up after five refusals. */
export const sound: Manners = {
  wait: ({ headers, attempt }) => (attempt > 5 ? null : restOf(headers) + 60 * 2 ** attempt),
  sign: (key) => ({ Authorization: `Bearer ${key}` }),
  address: (baseUrl, path) => baseUrl + path,
  connections: 4,
  keepAlive: true,
};

/** Returns the rest that Retry-After asks for, ms; 0 without one. */
export function restOf(headers: Answer['headers']): number {
  const after = headers['retry-after'] ?? '0';
  return /^\d+$/.test(after) ? Number(after) * 1000 : Math.max(0, Date.parse(after) - Date.now());
}

export interface Request {
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** False for a request without the key. */
  readonly signed?: boolean;
}

export interface Client extends Disposable {
  /** Sends a request, waits out its refusals, and returns the last response. Throws GaveUp. */
  readonly send: (request: Request) => Promise<Answer>;
  readonly once: (request: Request) => Promise<Answer>;
  /** Sends a request once to any address. */
  readonly to: (url: string, request: Request) => Promise<Answer>;
  readonly place: Place;
}

export function clientOf(place: Place, manners: Manners): Client {
  const agent = new Agent({ keepAlive: manners.keepAlive, maxSockets: manners.connections });
  const to = (url: string, { method = 'GET', body, headers, signed = true }: Request): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
      const all = { ...(signed && manners.sign(place.key)), ...type, ...headers };
      const outgoing = httpRequest(url, { method, agent, headers: all }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
        response.on('error', reject);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  const once = (request: Request): Promise<Answer> =>
    to(manners.address(place.baseUrl, request.path, place.key), request);
  const send = async (request: Request): Promise<Answer> => {
    let before = 0;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await once(request);
      if (answer.status !== 429) return answer;
      const { random } = place;
      const wait = manners.wait({ ...answer, attempt, before, method: request.method ?? 'GET', random });
      if (wait === null) throw new GaveUp();
      before = wait;
      if (wait > 0) await pause(wait);
    }
  };
  return { send, once, to, place, [Symbol.dispose]: () => agent.destroy() };
}
