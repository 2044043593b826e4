import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BASE, entryOf, fileOf, harOf, pairs } from './har.test.support.js';
import { readHar } from './read-har.js';

/** Returns a function that frees memory at once. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

/** Characters of a response, and how many such responses a file holds. */
const LONG = 900_000;
const ENTRIES = 60;

const kinds: readonly (readonly [what: string, make: (at: number) => unknown])[] = [
  [
    'long responses of the service',
    (at) => entryOf({ at, response: { content: { text: `${at}${'x'.repeat(LONG)}` } } }),
  ],
  [
    'long responses of another address with another key',
    (at) =>
      entryOf({
        at,
        request: {
          url: 'https://api.other.example/things',
          headers: pairs({ Authorization: 'Bearer of-another' }),
        },
        response: { content: { text: `${at}${'x'.repeat(LONG)}` } },
      }),
  ],
];

for (const [what, make] of kinds)
  test(`of ${what} only the beginning is kept until the end of the file`, async (t) => {
    const gc = collector();
    const last = entryOf({ request: { url: `${BASE}/pets?status=sold` } });
    const file = fileOf(t, harOf([entryOf(), ...Array.from({ length: ENTRIES }, (_, at) => make(at)), last]));
    let [count, kept] = [0, Number.NaN];
    gc();
    const before = process.memoryUsage().heapUsed;
    await readHar({
      file,
      baseUrl: BASE,
      keys: {},
      nextId: () => `t${(count += 1)}`,
      onExchange({ request }) {
        if (!request.target.endsWith('sold')) return;
        gc();
        kept = process.memoryUsage().heapUsed - before;
      },
    });
    assert.ok(kept < (LONG * ENTRIES) / 2, `${kept} bytes after ${count} requests`);
  });
