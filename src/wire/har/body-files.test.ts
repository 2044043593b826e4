import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { filesUnread } from '../exchange/client-exchange.js';
import { serviceJudge } from '../../judge/service/judge-service.js';
import { judgeClient } from '../../judge/clients/judge-client.js';
import { addressesIn } from './addresses.js';
import { bodyFilesOf } from './body-files.js';
import { BASE, entryOf, fileOf, harOf, KEY, pairs } from './har.test.support.js';
import { readHar } from './read-har.js';

const LISTING = '[{"id":1,"name":"Rex","categoryId":1}]';
const RATE = { 'Content-Type': 'application/json', Date: new Date().toUTCString() };

/** An entry whose response body is in a file. */
const attached = (name: string, at = 0) =>
  entryOf({
    at,
    response: { headers: pairs(RATE), content: { size: 9, mimeType: 'application/json', _file: name } },
  });

/** Writes a HAR file with files next to it, reads it, and returns the record and what it shows of the service. */
async function read(t: TestContext, entries: readonly unknown[], files: Readonly<Record<string, string>>) {
  const file = fileOf(t, harOf(entries));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dirname(file), name)), { recursive: true });
    writeFileSync(join(dirname(file), name), text);
  }
  const judge = serviceJudge({ source: 'har', basePath: '/v1', graceMs: 0 });
  let nth = 0;
  const { traffic } = await readHar({
    file,
    baseUrl: BASE,
    keys: {},
    nextId: () => `t${(nth += 1)}`,
    onExchange: (exchange) => judge.add(exchange),
  });
  return { traffic, findings: judge.findings(traffic.exchanges), folder: dirname(file) };
}

describe('bodies next to a HAR file', () => {
  test('are read and judged, in its folder and below it', async (t) => {
    const { findings } = await read(t, [attached('a.json'), attached('resources/b.json', 50)], {
      'a.json': LISTING,
      'resources/b.json': '{"data":[]}',
    });
    const of = (row: string) =>
      findings.filter(({ requirement }) => requirement === row).map(({ kind }) => kind);
    assert.deepEqual(of('pets-array').toSorted(), ['kept', 'violated']);
    assert.deepEqual(of('pet-shape'), ['kept']);
  });

  test('that are missing leave what they would show open, with the name of the file', async (t) => {
    const creation = entryOf({
      at: 50,
      request: {
        method: 'POST',
        url: `${BASE}/pets`,
        headers: pairs({ 'Content-Type': 'application/json', Authorization: `Bearer ${KEY}` }),
        postData: { mimeType: 'application/json', _file: 'sent.json' },
      },
      response: {
        status: 201,
        headers: pairs(RATE),
        content: { text: '{"id":1,"name":"a","categoryId":1}' },
      },
    });
    const { traffic, findings } = await read(t, [attached('gone.json'), creation], {});
    const open = findings.flatMap((each) => (each.kind === 'inconclusive' ? [each] : []));
    assert.deepEqual(open.map(({ requirement }) => requirement).toSorted(), [
      'created-pet-echo',
      'json-media-type',
      'pet-id-unique',
      'pet-int64',
      'pet-shape',
      'pets-array',
    ]);
    assert.match(open[0]?.reason.text ?? '', /gone\.json is missing/);
    const [ofClient] = judgeClient([traffic], ['client-valid-request']).filter(
      ({ kind }) => kind === 'inconclusive',
    );
    assert.match(ofClient?.kind === 'inconclusive' ? ofClient.reason.text : '', /sent\.json is missing/);
  });

  test('are read through no link out of the folder, and by no path out of it', async (t) => {
    const outside = fileOf(t, LISTING, 'secret.json');
    const { folder } = await read(t, [], { 'in.json': LISTING });
    symlinkSync(outside, join(folder, 'link.json'));
    symlinkSync(dirname(outside), join(folder, 'linked'));
    symlinkSync(join(folder, 'in.json'), join(folder, 'inner.json'));
    const files = bodyFilesOf(join(folder, 'traffic.har'));
    const places = ['link.json', 'linked/secret.json', outside, '../x', `..\0`, '.', 'none.json'];
    for (const name of places) assert.equal(files(name).kind, 'unread', name);
    for (const name of ['in.json', './in.json', 'inner.json']) assert.equal(files(name).kind, 'read', name);
  });

  test('name their file within bounds, and no hidden character', async (t) => {
    const { traffic } = await read(t, [attached(`\u001B[2J${'x'.repeat(5000)}`)], {});
    const why = traffic.exchanges.map((exchange) => filesUnread(exchange).answer ?? '').join('');
    assert.ok(why.length > 50 && why.length < 300 && !why.includes('\u001B'), why);
  });

  test('in a ZIP archive are refused as what they are', async (t) => {
    const file = fileOf(t, Uint8Array.from([0x50, 0x4b, 0x03, 0x04, 20, 0, 0, 0]), 'traffic.zip');
    await assert.rejects(addressesIn([file]), /traffic\.zip is a ZIP archive/);
  });
});
