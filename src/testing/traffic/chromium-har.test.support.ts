import type { CDPSession, Page } from '@playwright/test';

/** A request as Chromium's DevTools protocol reports it, in parts. */
interface Parts {
  request?: {
    readonly method: string;
    readonly url: string;
    readonly headers: Record<string, string>;
    readonly postData?: string;
  };
  wallTime?: number;
  startedAt?: number;
  sent?: Record<string, string>;
  response?: {
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly fromDiskCache?: boolean;
  };
  received?: Record<string, string>;
  answeredAt?: number;
  finishedAt?: number;
  body?: { readonly body: string; readonly base64Encoded: boolean };
}

/** Records a page's requests through the DevTools protocol, as DevTools and chrome-har do. */
export async function recordByDevTools(page: Page) {
  const session: CDPSession = await page.context().newCDPSession(page);
  const all = new Map<string, Parts>();
  const of = (id: string): Parts => {
    const parts = all.get(id) ?? {};
    all.set(id, parts);
    return parts;
  };
  session.on('Network.requestWillBeSent', ({ requestId, request, wallTime, timestamp }) =>
    Object.assign(of(requestId), { request, wallTime, startedAt: timestamp }),
  );
  session.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) =>
    Object.assign(of(requestId), { sent: headers }),
  );
  session.on('Network.responseReceived', ({ requestId, response, timestamp }) =>
    Object.assign(of(requestId), { response, answeredAt: timestamp }),
  );
  session.on('Network.responseReceivedExtraInfo', ({ requestId, headers }) =>
    Object.assign(of(requestId), { received: headers }),
  );
  const bodies: Promise<unknown>[] = [];
  session.on('Network.loadingFinished', ({ requestId, timestamp }) => {
    of(requestId).finishedAt = timestamp;
    const read = session
      .send('Network.getResponseBody', { requestId })
      .then((body) => Object.assign(of(requestId), { body }));
    // What ends after the file was written has no reader left.
    read.catch(() => undefined);
    bodies.push(read);
  });
  session.on('Network.loadingFailed', ({ requestId, timestamp }) =>
    Object.assign(of(requestId), { finishedAt: timestamp }),
  );
  await session.send('Network.enable');
  const isWaiting = (): boolean =>
    [...all.values()].some(({ request, finishedAt }) => request && finishedAt === undefined);
  const nextEnd = (): Promise<unknown> =>
    new Promise((resolve) => {
      session.once('Network.loadingFinished', resolve);
      session.once('Network.loadingFailed', resolve);
    });
  return {
    /** Returns the file, with the entries in no order. */
    async har(): Promise<string> {
      // Events of this session may lie behind what the page returned; all earlier ones come before this response.
      await session.send('Runtime.evaluate', { expression: '0' });
      // A page has a response before DevTools says that it is complete.
      while (isWaiting()) await nextEnd();
      await Promise.all(bodies);
      const entries = [...all.values()]
        .flatMap((parts) => (parts.request ? [entryOf(parts, parts.request)] : []))
        .toReversed();
      return JSON.stringify({
        log: { version: '1.2', creator: { name: 'WebInspector', version: '537.36' }, pages: [], entries },
      });
    },
  };
}

const pairsOf = (headers: Record<string, string> = {}): readonly object[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

function entryOf(parts: Parts, request: NonNullable<Parts['request']>): object {
  const {
    wallTime = 0,
    startedAt = 0,
    answeredAt = startedAt,
    finishedAt = answeredAt,
    response,
    body,
  } = parts;
  const wait = (answeredAt - startedAt) * 1000;
  const receive = (finishedAt - answeredAt) * 1000;
  return {
    _initiator: { type: 'script' },
    _priority: 'High',
    _resourceType: 'fetch',
    startedDateTime: new Date(wallTime * 1000).toISOString(),
    time: wait + receive,
    timings: { blocked: -1, dns: -1, ssl: -1, connect: -1, send: 0, wait, receive, _blocked_queueing: -1 },
    cache: {},
    request: {
      method: request.method,
      url: request.url,
      headers: pairsOf(parts.sent ?? request.headers),
      ...(request.postData !== undefined && {
        postData: { mimeType: 'application/json', text: request.postData },
      }),
    },
    response: {
      status: response?.status ?? 0,
      headers: pairsOf(parts.received ?? response?.headers),
      content: {
        size: body?.body.length ?? 0,
        mimeType: 'application/json',
        ...(body && { text: body.body, ...(body.base64Encoded && { encoding: 'base64' }) }),
      },
    },
  };
}
