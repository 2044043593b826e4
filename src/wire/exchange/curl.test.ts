import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { anyText } from '../../base/kernel/any-text.test.support.js';
import { lookAlike, SERVER_COOKIES } from './key-forms.js';
import type { Exchange } from './types.js';
import { curlOf, curlSource, type CurlSource } from './curl.js';
import type { KeyPlaces } from '../targets/target.js';

const KEY = 'Sk-free"1$x`y\\z!';
const BASE = { baseUrl: 'http://127.0.0.1:8080/v1' };
const run = promisify(execFile);

const exchange = (request: Partial<Exchange['request']>): Exchange => ({
  id: 'x1',
  probe: 'listing',
  operation: 'listPets',
  intent: { kind: 'declared', statuses: [200] },
  credential: { kind: 'none' },
  request: { method: 'GET', path: '/v1/pets', headers: [], body: null, ...request },
  sentAt: 0,
  latencyMs: 1,
  attempts: 1,
  answer: { kind: 'response', status: 200, headers: [], text: '' },
});

const bearer = [['Authorization', 'Bearer $PETSTORE_KEY']] as const;

/** Returns the source of a run whose suites used the Free key. */
const sourceOf = (keyPlaces: KeyPlaces): CurlSource =>
  curlSource({ target: { ...BASE, keyPlaces }, scope: { suiteKey: 'free' } });

/** Recorded form of the key, and the form sent. */
const FORMS: readonly (readonly [recorded: string, sent: string])[] = [
  ['Bearer $PETSTORE_KEY', `Bearer ${KEY}`],
  ['$PETSTORE_KEY', KEY],
  ['Bearer ${PETSTORE_KEY%?}', `Bearer ${KEY.slice(0, -1)}`],
  ['Bearer ${PETSTORE_KEY}x', `Bearer ${KEY}x`],
  ['Basic $PETSTORE_KEY_BASE64', `Basic ${Buffer.from(`${KEY}:`).toString('base64')}`],
  ['Basic $PETSTORE_KEY_BASE64_PASSWORD', `Basic ${Buffer.from(`api:${KEY}`).toString('base64')}`],
  ['Bearer $PETSTORE_KEY_HALF', `Bearer ${KEY.slice(0, KEY.length / 2)}`],
  ['Bearer $PETSTORE_KEY_FIRST', `Bearer ${KEY.slice(0, 1)}`],
  ['Bearer $PETSTORE_KEY_OTHER_CASE', 'Bearer sK-FREE"1$X`Y\\Z!'],
  ['Bearer $PETSTORE_KEY_LOOK_ALIKE', `Bearer ${lookAlike(KEY)}`],
];

describe('the text of a curl line', () => {
  const cases: readonly (readonly [string, Partial<Exchange['request']>, string])[] = [
    [
      'a listing',
      { headers: bearer },
      `curl -sSi -H "Authorization: Bearer $PETSTORE_KEY" 'http://127.0.0.1:8080/v1/pets'`,
    ],
    [
      'a creation',
      { method: 'POST', headers: [...bearer, ['Content-Type', 'application/json']], body: `{"name":"it's"}` },
      `curl -sSi -H "Authorization: Bearer $PETSTORE_KEY" -H 'Content-Type: application/json' --data-binary '{"name":"it'\\''s"}' 'http://127.0.0.1:8080/v1/pets'`,
    ],
    [
      'omits headers of one run or connection',
      {
        headers: [
          ['User-Agent', 'kit'],
          ['traceparent', '00-1'],
          ['Accept-Encoding', 'gzip'],
          ['Host', 'h'],
        ],
      },
      `curl -sSi 'http://127.0.0.1:8080/v1/pets'`,
    ],
    [
      'the key in the query',
      { path: '/v1/pets?api_key=$PETSTORE_KEY' },
      `curl -sSi "http://127.0.0.1:8080/v1/pets?api_key=$PETSTORE_KEY"`,
    ],
    ['an odd method', { method: 'DELETE' }, `curl -sSi -X DELETE 'http://127.0.0.1:8080/v1/pets'`],
  ];
  for (const [name, request, line] of cases)
    it(name, () => assert.equal(curlOf(exchange(request), BASE), line));

  it('a fetch whose fault shows only the second time, twice', () => {
    const [fetched, again] = ['x1', 'x2'].map((id, at) => ({
      ...exchange({ headers: bearer }),
      id,
      operation: 'getPet' as const,
      answer: { kind: 'response' as const, status: at === 0 ? 200 : 304, headers: [], text: '' },
    }));
    assert.ok(fetched && again);
    const source = curlSource({ target: BASE, scope: { suiteKey: 'free' } }, [fetched, again, fetched]);
    const addresses = (one: Exchange) => curlOf(one, source).match(/'http[^']*'/g);
    const [address] = addresses(fetched) ?? [];
    assert.deepEqual([addresses(fetched), addresses(again)], [[address], [address, address]]);
  });

  it('a request after another one on its connection', () =>
    assert.equal(
      curlOf({ ...exchange({ headers: bearer }), after: '/v1/pets?limit=21' }, BASE),
      `curl -sSi -H "Authorization: Bearer $PETSTORE_KEY" 'http://127.0.0.1:8080/v1/pets?limit=21' 'http://127.0.0.1:8080/v1/pets'`,
    ));

  it('cookies that the server set, to be set by hand', () =>
    assert.equal(
      curlOf(exchange({ headers: [['Cookie', SERVER_COOKIES]] }), BASE),
      `curl -sSi -H "Cookie: \${PETSTORE_COOKIES:?set it to the cookies of a response to the valid key}" 'http://127.0.0.1:8080/v1/pets'`,
    ));
});

describe('a curl line in a shell', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'curl-line-'));
    // Prints its arguments with a NUL after each, and its input.
    writeFileSync(
      join(folder, 'curl'),
      '#!/bin/sh\nprintf "%s\\0" "$@"\ncase " $* " in *" @- "*) cat ;; esac\n',
    );
    chmodSync(join(folder, 'curl'), 0o755);
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Returns the arguments that a shell passes to curl. */
  const wordsOf = (line: string, env: Readonly<Record<string, string>> = { PETSTORE_KEY: KEY }): string[] => {
    assert.ok(!line.includes('\n'), 'one line');
    return execFileSync('sh', ['-c', line], {
      encoding: 'utf8',
      cwd: folder,
      env: { PATH: `${folder}:${process.env['PATH']}`, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).split('\0');
  };
  const headerOf = (value: string, source: CurlSource = BASE, env?: Readonly<Record<string, string>>) =>
    wordsOf(curlOf(exchange({ headers: [['Authorization', value]] }), source), env)[2];

  const OWN = { MY_KEY: KEY };

  for (const [what, source, env] of [
    ['PETSTORE_KEY', BASE, undefined],
    ['a variable of another name', sourceOf({ free: { variable: 'MY_KEY' } }), OWN],
    ['a file', sourceOf({ free: { file: "it's a key.txt" } }), {}],
  ] as const)
    it(`expands every form of the key as it was sent, from ${what}`, () => {
      writeFileSync(join(folder, "it's a key.txt"), `${KEY}\n`);
      for (const [recorded, sent] of FORMS)
        assert.equal(headerOf(recorded, source, env), `Authorization: ${sent}`);
    });

  it('uses the key of the exchange’s plan', () => {
    const source = sourceOf({ free: { variable: 'MY_KEY' }, pro: { variable: 'PRO_KEY' } });
    const pro: Exchange = { ...exchange({ headers: bearer }), credential: { kind: 'valid', plan: 'pro' } };
    assert.match(curlOf(pro, source), /Bearer \$PRO_KEY"/);
    assert.match(curlOf(exchange({ headers: bearer }), source), /Bearer \$MY_KEY"/);
  });

  it('asks for a missing key and sends nothing without it', () => {
    assert.throws(
      () => headerOf('Bearer $PETSTORE_KEY', sourceOf({}), {}),
      ({ stderr, stdout }: { stderr: string; stdout: string }) =>
        stderr.includes('PETSTORE_KEY: set it to the free key') && stdout === '',
    );
    assert.equal(headerOf('Bearer $PETSTORE_KEY', sourceOf({})), `Authorization: Bearer ${KEY}`);
  });

  it('does not execute a forged variable name', () => {
    const forged = sourceOf({ free: { variable: '(touch owned)' } });
    assert.doesNotMatch(curlOf(exchange({ headers: bearer }), forged), /touch/);
  });

  it('expands only the placeholders', () => {
    for (const hostile of [
      '$HOME',
      '$(touch owned)',
      '`touch owned`',
      '"; touch owned; "',
      "'; touch owned; '",
      '\\',
      '!!',
      '$PETSTORE_KEYS',
      '${PETSTORE_KEY:-x}',
      '*',
      '~',
    ])
      assert.equal(
        headerOf(`${hostile} $PETSTORE_KEY ${hostile}`),
        `Authorization: ${hostile} ${KEY} ${hostile}`,
        hostile,
      );
  });

  it('passes any body unchanged, never as a key or a file', () => {
    const body = anyText({ maxLength: 40 }).map((text) => text.replaceAll('\0', ''));
    fc.assert(
      fc.property(
        fc.oneof(body, fc.constantFrom('@/etc/passwd', '$PETSTORE_KEY', "%s\\n'", 'a\nb\n\n', '')),
        (text) => {
          const words = wordsOf(curlOf(exchange({ method: 'POST', body: text }), BASE));
          const sent = words[words.indexOf('--data-binary') + 1];
          assert.equal(sent === '@-' ? words.at(-1) : sent, Buffer.from(text).toString());
        },
      ),
      { numRuns: 40 },
    );
  });

  it('passes any path and header unchanged', () => {
    const text = fc.string({ unit: 'grapheme-ascii', maxLength: 30 });
    fc.assert(
      fc.property(text, text, (path, value) => {
        const words = wordsOf(
          curlOf(exchange({ path: `/v1/${path}`, headers: [['X-A', `v${value}`]] }), BASE),
        );
        assert.ok(words.includes(`http://127.0.0.1:8080/v1/${path}`));
        assert.ok(words.includes(`X-A: v${value}`));
      }),
      { numRuns: 40 },
    );
  });
});

describe('a curl line executed by curl', { skip: hasCurl() ? false : 'curl is not installed' }, () => {
  const received: { method?: string; url?: string; headers: NodeJS.Dict<string | string[]>; body: string }[] =
    [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      response.end();
    });
  });
  before(() => new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening)));
  after(() => server.close());

  const cases: readonly (readonly [string, Partial<Exchange['request']>])[] = [
    ['a listing', { path: '/v1/pets?limit=1&status=sold' }],
    ['brackets and dots in the path', { path: '/v1/pets/../[1-3]{a,b}' }],
    [
      'a creation with a line break',
      { method: 'POST', headers: [['Content-Type', 'application/json']], body: '{"name":"a\nb"}' },
    ],
    ['a creation without a body', { method: 'POST', headers: [['Content-Type', 'application/json']] }],
    ['a body without a media type', { method: 'POST', body: '{}' }],
    ['a body on a GET', { method: 'GET', body: 'x' }],
    ['an empty header', { headers: [['Authorization', '']] }],
    ['an undeclared method', { method: 'PATCH', path: '/v1/pets/1', body: '[]' }],
  ];
  for (const [name, request] of cases)
    it(name, async () => {
      const { port } = server.address() as AddressInfo;
      const sent = exchange(request).request;
      await run('sh', ['-c', curlOf(exchange(request), { baseUrl: `http://127.0.0.1:${port}/v1` })], {
        env: { PATH: process.env['PATH'], PETSTORE_KEY: 'k' },
      });
      const got = received.pop();
      assert.equal(got?.method, sent.method);
      assert.equal(got.url, sent.path);
      assert.equal(got.body, sent.body ?? '');
      const type = sent.headers.find(([header]) => header === 'Content-Type')?.[1];
      assert.equal(got.headers['content-type'], type);
      for (const [header, value] of sent.headers) assert.equal(got.headers[header.toLowerCase()], value);
      if (sent.method === 'POST')
        assert.equal(got.headers['content-length'], String(Buffer.byteLength(sent.body ?? '')));
    });
});

function hasCurl(): boolean {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a curl line of traffic', () => {
  const request = {
    headers: [
      ['Authorization', 'Bearer $PETSTORE_BUSINESS_KEY'],
      ['X-Other', '$UNKNOWN_KEY_2'],
    ],
  } as const;
  it('reads the key of its plan, and asks for one that the kit does not know', () => {
    const source = sourceOf({ business: { variable: 'MY_KEY' } });
    assert.equal(
      curlOf(exchange(request), source),
      `curl -sSi -H "Authorization: Bearer $MY_KEY" -H "X-Other: \${UNKNOWN_KEY_2:?set it to that key}" 'http://127.0.0.1:8080/v1/pets'`,
    );
  });
  it('of a scenario uses what client --listen prints, since its server has ended', () => {
    const played = curlSource({ target: BASE, scope: { suiteKey: 'business' } }, [], true);
    const lineTo = (path: string): string => curlOf(exchange({ path }), played).slice('curl -sSi '.length);
    assert.equal(lineTo('/v1/pets?limit=5'), `"$PETSTORE_BASE_URL"'/pets?limit=5'`);
    assert.equal(lineTo('/v2/pets'), `"\${PETSTORE_BASE_URL%/v1}"'/v2/pets'`);
    assert.equal(lineTo('http://127.0.0.1:9/v1/pets'), `'http://127.0.0.1:9/v1/pets'`);
  });
});
