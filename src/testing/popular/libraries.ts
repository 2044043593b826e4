import { create, type AxiosInstance } from 'axios';
import axiosRetry from 'axios-retry';
import Bottleneck from 'bottleneck';
import { Gaxios } from 'gaxios';
import { got } from 'got';
import ky from 'ky';
import nodeFetch from 'node-fetch';
import { ofetch } from 'ofetch';
import pRetry from 'p-retry';
import * as rax from 'retry-axios';
import superagent from 'superagent';
import { Agent, fetch as undiciFetch, interceptors, RetryAgent, type Dispatcher } from 'undici';

/** A request as each library gets it. */
export interface Ask {
  readonly url: string;
  readonly key: string;
  /** A creation's animal; absent for a listing. */
  readonly animal?: unknown;
}

/** A library from npm, as its documentation shows it, and nothing more. */
export interface Library {
  readonly name: string;
  /** How it is set up, in words. */
  readonly setUp: string;
  /** Sends a request and returns the parsed body; throws what the library throws. */
  readonly send: (ask: Ask) => Promise<unknown>;
}

const headersOf = ({ key, animal }: Ask): Record<string, string> => ({
  Authorization: `Bearer ${key}`,
  ...(animal !== undefined && { 'Content-Type': 'application/json' }),
});
const methodOf = ({ animal }: Ask): 'GET' | 'POST' => (animal === undefined ? 'GET' : 'POST');
const bodyOf = ({ animal }: Ask): { readonly body?: string } =>
  animal === undefined ? {} : { body: JSON.stringify(animal) };

/** Throws for what `fetch` takes for a success. */
async function checked(response: {
  readonly ok: boolean;
  readonly status: number;
  json(): Promise<unknown>;
}) {
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.json();
}

async function byDispatcher(dispatcher: Dispatcher, ask: Ask): Promise<unknown> {
  const response = await undiciFetch(ask.url, {
    method: methodOf(ask),
    headers: headersOf(ask),
    ...bodyOf(ask),
    dispatcher,
  });
  return checked(response);
}

async function byAxios(client: AxiosInstance, ask: Ask): Promise<unknown> {
  const { data } = await client.request<unknown>({
    url: ask.url,
    method: methodOf(ask),
    headers: headersOf(ask),
    ...(ask.animal !== undefined && { data: ask.animal }),
  });
  return data;
}

const retrying = new RetryAgent(new Agent());
const intercepted = new Agent().compose(interceptors.retry());
const axiosWithRetry = create();
axiosRetry(axiosWithRetry);
const axiosWithRax = create();
rax.attach(axiosWithRax);
const limiter = new Bottleneck({ maxConcurrent: 1 });
limiter.on('failed', (_error: Error, { retryCount }: { readonly retryCount: number }) =>
  retryCount === 0 ? 25 : undefined,
);

export const LIBRARIES: readonly Library[] = [
  {
    name: 'undici, RetryAgent',
    setUp: '`new RetryAgent(new Agent())` as the dispatcher of `fetch`',
    send: (ask) => byDispatcher(retrying, ask),
  },
  {
    name: 'undici, retry interceptor',
    setUp: '`new Agent().compose(interceptors.retry())`',
    send: (ask) => byDispatcher(intercepted, ask),
  },
  {
    name: 'got',
    setUp: 'defaults',
    send: (ask) =>
      got(ask.url, {
        method: methodOf(ask),
        headers: { authorization: `Bearer ${ask.key}` },
        ...(ask.animal !== undefined && { json: ask.animal }),
      }).json(),
  },
  {
    name: 'ky',
    setUp: 'defaults',
    send: (ask) =>
      ky(ask.url, {
        method: methodOf(ask),
        headers: { authorization: `Bearer ${ask.key}` },
        ...(ask.animal !== undefined && { json: ask.animal }),
      }).json(),
  },
  { name: 'axios-retry', setUp: '`axiosRetry(axios)`', send: (ask) => byAxios(axiosWithRetry, ask) },
  { name: 'retry-axios', setUp: '`rax.attach()`', send: (ask) => byAxios(axiosWithRax, ask) },
  {
    name: 'ofetch',
    setUp: 'defaults',
    send: (ask) =>
      ofetch(ask.url, {
        method: methodOf(ask),
        headers: { authorization: `Bearer ${ask.key}` },
        ...(ask.animal !== undefined && { body: ask.animal as Record<string, unknown> }),
      }),
  },
  {
    name: 'p-retry',
    setUp: '`pRetry(() => fetch(…))`, with an error for a response that is not ok',
    send: (ask) =>
      pRetry(
        async () =>
          checked(await fetch(ask.url, { method: methodOf(ask), headers: headersOf(ask), ...bodyOf(ask) })),
        {
          retries: 4,
        },
      ),
  },
  {
    name: 'superagent',
    setUp: '`.retry(3)`',
    send: async (ask) => {
      const request = superagent(methodOf(ask), ask.url).set('Authorization', `Bearer ${ask.key}`).retry(3);
      const { body } = await (ask.animal === undefined ? request : request.send(ask.animal as object));
      return body as unknown;
    },
  },
  {
    name: 'gaxios',
    setUp: '`retry: true`',
    send: async (ask) => {
      const { data } = await new Gaxios().request({
        url: ask.url,
        method: methodOf(ask),
        headers: headersOf(ask),
        retry: true,
        ...(ask.animal !== undefined && { data: ask.animal }),
      });
      return data;
    },
  },
  {
    name: 'bottleneck',
    setUp: 'one at a time, one retry after 25 ms, as in its README',
    send: (ask) =>
      limiter.schedule(async () =>
        checked(await fetch(ask.url, { method: methodOf(ask), headers: headersOf(ask), ...bodyOf(ask) })),
      ),
  },
  {
    name: 'node-fetch',
    setUp: 'defaults',
    send: async (ask) =>
      checked(await nodeFetch(ask.url, { method: methodOf(ask), headers: headersOf(ask), ...bodyOf(ask) })),
  },
];
