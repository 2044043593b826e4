import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Change, Context } from '../behaviour.js';
import { always, onAnswers, seams } from '../changes.js';
import { withHeader, type Header, type Problem, type Wire } from '../messages.js';
import { variantsOf } from '../registry.js';

const onWire = (alter: (wire: Wire, context: Context) => Wire): Change =>
  seams(({ transport }) => ({ transport: (wire, context) => alter(transport(wire, context), context) }));

const renamed = (rename: (name: string) => string): Change =>
  onWire((wire) => ({ ...wire, headers: wire.headers.map(([name, value]): Header => [rename(name), value]) }));

const encoded = (coding: string, encode: (payload: Buffer) => Buffer): Change =>
  onWire((wire, { request }) =>
    request.headers['accept-encoding']?.includes(coding) === true && wire.payload.length > 0
      ? { ...wire, payload: encode(wire.payload), headers: [...wire.headers, ['Content-Encoding', coding]] }
      : wire,
  );

const dated = (alter: (date: string, context: Context) => readonly Header[]): Change =>
  onWire((wire, context) => ({
    ...wire,
    headers: wire.headers.flatMap(([name, value]) => (name === 'Date' ? alter(value, context) : [[name, value]])),
  }));

/** Answers take this long, ms: some at once, some after a while, so that they overtake one another. */
const LEAST_DELAY_MS = 5;
const MOST_DELAY_MS = 30;

/** How stale a Date may be on a sound server, ms; the second that it is cut to comes on top. */
const STALE_MS = 1_300;

const SKEW_MS = 90_000;

const UNAVAILABLE: Problem = {
  status: 503,
  code: 'unavailable',
  message: 'try again in a moment',
  headers: [['Retry-After', '0']],
};

const LIMITED: Problem = {
  status: 429,
  code: 'rate_limited',
  message: 'the rate limit of this plan is used up',
  headers: [['Retry-After', '1']],
};

/** Freedom in how answers travel. */
export const transportVariants = variantsOf('suites', {
  'lower-case-headers': {
    title: 'Header names are in lower case.',
    change: renamed((name) => name.toLowerCase()),
  },
  'upper-case-headers': {
    title: 'Header names are in capitals.',
    change: renamed((name) => name.toUpperCase()),
  },
  gzip: {
    title: 'Bodies are compressed with gzip where the client accepts it.',
    change: encoded('gzip', gzipSync),
  },
  deflate: {
    title: 'Bodies are compressed with deflate where the client accepts it.',
    change: encoded('deflate', deflateSync),
  },
  brotli: {
    title: 'Bodies are compressed with Brotli where the client accepts it.',
    change: encoded('br', brotliCompressSync),
  },
  chunked: {
    title: 'Bodies come in chunks, with no Content-Length.',
    change: onWire((wire) => ({ ...wire, chunked: true })),
  },
  'connection-close': {
    title: 'Every connection ends after one answer.',
    change: onWire((wire) => ({ ...wire, closes: true })),
  },
  'closes-after-refusals': {
    title: 'The connection ends after each request that was refused.',
    change: onWire((wire) => ({ ...wire, closes: wire.status >= 400 })),
  },
  'creation-unavailable-once': {
    title: 'The third creation is answered 503 with a Retry-After, and is taken when it is sent again.',
    change: seams(({ operations }) => {
      let creations = 0;
      return {
        operations: {
          ...operations,
          createPet: (context) => {
            creations += 1;
            return creations === 3 ? context.behaviour.problem(UNAVAILABLE, context) : operations.createPet(context);
          },
        },
      };
    }),
  },
  'listing-limited-once': {
    title:
      'The first listing with a filter is answered 429, since somebody else had used the key, and served after the wait.',
    change: seams(({ operations }) => {
      let listings = 0;
      return {
        operations: {
          ...operations,
          listPets: (context) => {
            if (context.request.query.get('status') === null) return operations.listPets(context);
            listings += 1;
            return listings === 1 ? context.behaviour.problem(LIMITED, context) : operations.listPets(context);
          },
        },
      };
    }),
  },
  'slow-and-jittery': {
    title: 'Answers take 5 to 30 ms.',
    change: onWire((wire) => ({
      ...wire,
      delayMs: LEAST_DELAY_MS + Math.random() * (MOST_DELAY_MS - LEAST_DELAY_MS),
    })),
  },
  'clock-ahead': {
    title: 'The server’s clock is 90 s ahead, in Date and in Reset alike.',
    change: seams(({ clock }) => ({ clock: (now) => clock(now) + SKEW_MS })),
  },
  'clock-behind': {
    title: 'The server’s clock is 90 s behind, in Date and in Reset alike.',
    change: seams(({ clock }) => ({ clock: (now) => clock(now) - SKEW_MS })),
  },
  'no-date': {
    title: 'Answers carry no Date.',
    expect: 'inconclusive',
    clouds: ['rate-headers-wellformed'],
    change: dated(() => []),
  },
  'stale-date': {
    title: 'Date is up to 2.3 s stale, as the servers that renew it now and then have it.',
    change: dated((_date, { request }) => [['Date', new Date(request.at - STALE_MS).toUTCString()]]),
  },
  'many-other-headers': {
    title:
      'Answers carry cookies, security headers, CORS, an ETag and the draft’s rate headers beside the declared ones.',
    change: onAnswers(always, (answer) =>
      OTHER_HEADERS.reduce((more, [name, value]) => withHeader(more, name, value), answer),
    ),
  },
});

const OTHER_HEADERS: readonly Header[] = [
  ['Set-Cookie', 'session=1; HttpOnly'],
  ['Cache-Control', 'no-store'],
  ['ETag', 'W/"1"'],
  ['Vary', 'Accept-Encoding'],
  ['Access-Control-Allow-Origin', '*'],
  ['Strict-Transport-Security', 'max-age=1'],
  ['X-Request-Id', '1'],
  ['RateLimit', '"default";r=1;t=1'],
];
