import { readFileSync } from 'node:fs';
import { isInClear } from '../wire/targets/base-url.js';
import type { Environment } from '../wire/targets/placeholders.js';
import { kit } from '../base/kernel/package.js';

/** A pull request of a GitHub server, and the right to comment on it. */
interface PullRequest {
  /** Address of its comments' collection, and of single comments. */
  readonly issue: string;
  readonly comments: string;
  readonly token: string;
  /** Newest commit of the pull request itself, not of its merge. */
  readonly commit?: string;
}

/** What became of a comment. A reason against one is a clause without a full stop. */
export type Commented =
  | { readonly kind: 'created' | 'edited'; readonly url: string }
  | { readonly kind: 'none'; readonly why: string };

const none = (why: string): Commented => ({ kind: 'none', why });

/**
 * Finds the pull request that a job of GitHub Actions runs for, by its usual variables. GITHUB_API_URL names
 * the server, so GitHub Enterprise Server works too.
 *
 * @returns why there is none to comment on otherwise, as a clause
 */
export function pullRequestOf(env: Environment): PullRequest | string {
  const { GITHUB_REPOSITORY: repository = '', GITHUB_TOKEN: token = '', GITHUB_EVENT_PATH: event = '' } = env;
  const { GITHUB_API_URL: api = 'https://api.github.com' } = env;
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository) || event === '') return 'this is no job of GitHub Actions';
  const pull = eventIn(event)?.pull_request;
  if (!Number.isSafeInteger(pull?.number)) return 'the job does not run for a pull request';
  if (token === '') return 'there is no token';
  if (!URL.canParse(api) || isInClear(new URL(api))) return 'GITHUB_API_URL is no https address';
  const base = `${api.replace(/\/+$/, '')}/repos/${repository}/issues`;
  const sha = pull?.head?.sha;
  return {
    issue: `${base}/${String(pull?.number)}/comments`,
    comments: `${base}/comments`,
    token,
    ...(typeof sha === 'string' && /^[0-9a-f]+$/.test(sha) && { commit: sha }),
  };
}

interface Event {
  readonly pull_request?: { readonly number?: unknown; readonly head?: { readonly sha?: unknown } };
}

function eventIn(file: string): Event | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Event | null;
  } catch {
    return null;
  }
}

interface Comment {
  readonly id: number;
  readonly html_url?: string;
  readonly body?: string | null;
  readonly user?: { readonly type?: string } | null;
  readonly author_association?: string;
}

/** Most pages of comments that are searched, a hundred comments each. */
const MOST_PAGES = 30;

/** People who may write to the repository. A comment with our mark by anybody else is not ours. */
const TRUSTED: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);

/** Status codes of a token without the permission; GitHub hides what a token may not see behind 404. */
const FORBIDDEN: ReadonlySet<number> = new Set([401, 403, 404]);

/**
 * Writes a comment on a pull request, or edits the one that an earlier run wrote: that begins with the same
 * line. Never throws: a comment decides nothing.
 */
export async function comment({ issue, comments, token }: PullRequest, body: string): Promise<Commented> {
  const call = callWith(token);
  const [mark = ''] = body.split('\n', 1);
  try {
    const known = await ownComment(call, issue, mark);
    if (known !== undefined) {
      const edited = await call('PATCH', `${comments}/${known.id}`, { body });
      if (edited.ok) return { kind: 'edited', url: urlOf(edited.value) };
      // Another wrote it, or it is gone: the next best is a new one.
    }
    const created = await call('POST', issue, { body });
    if (created.ok) return { kind: 'created', url: urlOf(created.value) };
    return none(
      FORBIDDEN.has(created.status)
        ? `the token may not write comments (${created.status}); give the job the permission pull-requests: write`
        : `GitHub answered ${created.status}`,
    );
  } catch (error) {
    return none(`GitHub could not be reached (${error instanceof Error ? nameOf(error) : 'unknown'})`);
  }
}

type Call = ReturnType<typeof callWith>;

async function ownComment(call: Call, issue: string, mark: string): Promise<Comment | undefined> {
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const listed = await call('GET', `${issue}?per_page=100&page=${page}`);
    const all = listed.ok && Array.isArray(listed.value) ? (listed.value as readonly Comment[]) : [];
    const own = all.find(
      ({ body, user, author_association: role = '' }) =>
        body?.startsWith(mark) && (user?.type === 'Bot' || TRUSTED.has(role)),
    );
    if (own || all.length < 100) return own;
  }
  return undefined;
}

/** Time limit of one request, ms. */
const TIMEOUT_MS = 15_000;

/** A redirect is an error, because it would carry the token elsewhere. */
const callWith = (token: string) => async (method: 'GET' | 'POST' | 'PATCH', url: string, value?: object) => {
  const response = await fetch(url, {
    method,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      Accept: 'application/vnd.github+json',
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'User-Agent': `${kit().name}/${kit().version}`,
      // The version of the API that this was written for.
      'X-GitHub-Api-Version': '2022-11-28',
    },
    ...(value !== undefined && { body: JSON.stringify(value) }),
  });
  const text = await response.text();
  return {
    ok: response.ok,
    status: response.status,
    value: response.ok ? (JSON.parse(text) as unknown) : null,
  };
};

const urlOf = (value: unknown): string => (value as Comment | null)?.html_url ?? '';

/** Names an error by its system code or its kind; its message may contain an address. */
const nameOf = ({ name, cause }: Error): string => (cause as NodeJS.ErrnoException | undefined)?.code ?? name;
