import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';
import { resultsIn } from './support/results.js';
import { answering } from './support/servers.js';
import { targetFile } from './support/targets.js';

/** A listing with a photo in each animal. */
const LISTING = `[{"id":1,"name":"Rex","categoryId":1,"photo":"${'x'.repeat(1_200_000)}"}]`;

test('a listing beyond http.maxBodyBytes is reported with its size and that setting, in run as in doctor', async (t) => {
  for (const [isChunked, says] of [
    [false, /the body has 1,200,049 bytes; http\.maxBodyBytes allows 1,048,576/],
    [true, /the body is larger than the 1 MiB that http\.maxBodyBytes allows/],
  ] as const) {
    const cwd = folder(t);
    const baseUrl = await answering(t, (_request, response) => {
      response.writeHead(200, {
        'Content-Type': 'application/json',
        'X-RateLimit-Limit': 1000,
        'X-RateLimit-Remaining': 900,
        'X-RateLimit-Reset': Math.ceil(Date.now() / 1000) + 30,
        ...(!isChunked && { 'Content-Length': LISTING.length }),
      });
      response.write(LISTING.slice(0, 10));
      response.end(LISTING.slice(10));
    });
    const { file, env } = targetFile(cwd, baseUrl, 'pk-some-key-of-a-test-1234567890');
    const doctor = await petstoreHere(['doctor', '--target', file], { cwd, env });
    assert.match(doctor.stdout.replaceAll(/\s+/g, ' '), says);
    assert.match(doctor.stdout, /Set\s+http\.maxBodyBytes/);
    const words = ['run', '--target', file, '--only', 'suites', '--requirement', 'list-limit-max-items'];
    const ended = await petstoreHere([...words, '--report-dir', 'run'], { cwd, env });
    const row = resultsIn(join(cwd, 'run')).requirements.find(({ id }) => id === 'list-limit-max-items');
    assert.equal(row?.outcome, 'inconclusive', ended.stdout);
    assert.equal(row.reason?.code, 'body-too-large');
    assert.match(row.reason.text, says);
    const text = ended.stdout.replaceAll(/\s+/g, ' ');
    assert.match(text, /set http\.maxBodyBytes in the target file above the size of that response/);
    assert.ok(!text.includes('does not respond'), text);
  }
});
