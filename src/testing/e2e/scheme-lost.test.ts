import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { CERTIFICATES } from '../certificates.js';
import { petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';
import { resultsIn } from './support/results.js';
import { answeringOverTls } from './support/servers.js';
import { targetFile } from './support/targets.js';

async function judged(t: TestContext, listener: RequestListener) {
  const cwd = folder(t);
  writeFileSync(join(cwd, 'ca.pem'), CERTIFICATES.trusted);
  const baseUrl = await answeringOverTls(t, listener);
  const { file, env } = targetFile(cwd, baseUrl, 'some-key-of-a-test', ['http: { ca: ./ca.pem }']);
  const words = [
    'run',
    '--only',
    'suites',
    '--requirement',
    'list-ok',
    '--target',
    file,
    '--report-dir',
    'run',
  ];
  const { code, stdout } = await petstoreHere(words, { cwd, env });
  return { code, text: stdout.replaceAll(/\s+/g, ' '), results: resultsIn(join(cwd, 'run')) };
}

/** Redirects to the same path on the same host, as a service that does not know that a proxy ends TLS. */
const toHttp: RequestListener = (request, response) =>
  void response.writeHead(308, { Location: `http://${request.headers.host}${request.url}/` }).end();

test('a redirect from https to http is never recommended as the address', async (t) => {
  const { code, text, results } = await judged(t, toHttp);
  assert.equal(code, 3, text);
  assert.equal(results.obstacle?.code, 'redirect');
  assert.match(text, /redirects from https to http .* does not know that a proxy ends TLS/);
  assert.doesNotMatch(text, /use that|Set baseUrl to/);
});

test('a redirect of one path from https to http names the lost scheme in its row', async (t) => {
  const { code, text } = await judged(t, (request, response) =>
    /^\/v1\/pets(\?|$)/.test(request.url ?? '')
      ? toHttp(request, response)
      : void response
          .writeHead(404, { 'Content-Type': 'application/json' })
          .end(JSON.stringify({ code: 'not_found', message: 'no such animal', status: 404 })),
  );
  assert.equal(code, 1, text);
  assert.match(text, /308, a redirect from https to http: the scheme was lost/);
});
