import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A comment as GitHub's API returns it. */
interface StoredComment {
  readonly id: number;
  readonly html_url: string;
  body: string;
  readonly user: { readonly type: string };
  readonly author_association: string;
}

/**
 * Starts the part of GitHub's API that comments need, on loopback. Pull request 7 of pets/store exists.
 *
 * @param refuse status code of every request that writes; none to allow them
 */
export async function githubApi(t: TestContext, refuse?: number) {
  const comments: StoredComment[] = [];
  const requests: string[] = [];
  const add = (body: string, type = 'Bot', role = 'NONE'): StoredComment => {
    const id = comments.length + 1;
    const html_url = `https://github.example.com/pets/store/pull/7#${id}`;
    const stored = { id, html_url, body, user: { type }, author_association: role };
    comments.push(stored);
    return stored;
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://github');
    requests.push(`${request.method} ${url.pathname} ${request.headers.authorization}`);
    const answer = (status: number, value: unknown) => response.writeHead(status).end(JSON.stringify(value));
    const [, id] = /^\/api\/v3\/repos\/pets\/store\/issues\/comments\/(\d+)$/.exec(url.pathname) ?? [];
    const known = comments.find((one) => String(one.id) === id);
    if (request.method === 'GET') {
      const page = Number(url.searchParams.get('page'));
      answer(200, comments.slice((page - 1) * 100, page * 100));
      return;
    }
    void write();
    async function write() {
      const { body } = (await json(request)) as { readonly body: string };
      if (refuse !== undefined) answer(refuse, { message: 'Resource not accessible by integration' });
      else if (request.method === 'PATCH' && known) answer(200, Object.assign(known, { body }));
      else if (url.pathname === '/api/v3/repos/pets/store/issues/7/comments') answer(201, add(body));
      else answer(404, {});
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.after(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { comments, requests, add, url: `http://127.0.0.1:${port}/api/v3` };
}

/** Token of the jobs. */
export const TOKEN = 'ghs_a-token-of-a-test-0123456789';

/** Returns the variables of a job for pull request 7, with its files in a folder. */
export function pullRequestJob(cwd: string, api: string): Record<string, string> {
  const event = join(cwd, 'event.json');
  writeFileSync(event, JSON.stringify({ pull_request: { number: 7, head: { sha: 'c0ffee0123456789' } } }));
  return {
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: api,
    GITHUB_SERVER_URL: 'https://github.example.com',
    GITHUB_REPOSITORY: 'pets/store',
    GITHUB_RUN_ID: '71',
    GITHUB_EVENT_PATH: event,
    GITHUB_TOKEN: TOKEN,
    RUNNER_TEMP: cwd,
  };
}
