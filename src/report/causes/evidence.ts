import { createHash } from 'node:crypto';
import type { Exchange } from '../../wire/exchange/types.js';
import type { RequirementResult, Results } from '../../outcome/results/results.js';
import type { Outcome } from '../../judge/verdict.js';
import { measuredIn, receivedIn, storeIn, type Store } from './received.js';

/** Headers of every request, which do not identify it. */
const IN_EVERY_REQUEST =
  /^(?:accept|accept-encoding|user-agent|traceparent|host|connection|content-(?:type|length))$/i;

/**
 * Describes a request in words that are the same in every run: operation, credential, and path, query and
 * body without the names, ids and categories of one store.
 */
function questionOf({ operation, intent, request }: Exchange): string {
  const { method, path, headers, body } = request;
  const credential = headers
    .filter(([name]) => !IN_EVERY_REQUEST.test(name))
    .map((header) => header.join(' '));
  const [, query = ''] = path.split('?');
  const id = operation === 'getPet' ? idIn(path) : operation === null ? path : '';
  const row = intent.kind === 'declared' ? '' : intent.kind === 'open' ? intent.row : intent.chargedTo;
  return [operation ?? method, id && `${id} ${row}`, query, ...credential, bodyIn(body ?? '')].join('|');
}

/** Ids of a store are short; the kit's own, such as 2^63 - 1, are long. */
const idIn = (path: string): string => {
  const id = /([^/?]*)(?:\?|$)/.exec(path)?.[1] ?? '';
  return /^\d{1,18}$/.test(id) ? 'id' : id;
};

const bodyIn = (body: string): string =>
  body
    .replace(/"conformance-(?:[^"\\]|\\.)*"/g, (name) =>
      // oxlint-disable-next-line no-control-regex -- ASCII is what is meant
      name.length > 60 ? '"long"' : /^[\x00-\x7f]*$/.test(name) && !name.includes('\\') ? '"name"' : '"odd"',
    )
    .replace(/("categoryId":)\d{1,9}(?=[,}])/g, '$11')
    .replace(/^(\[[^,]*,)\d{1,9},/, '$11,');

/**
 * Symptoms by requirement and question: digests of a request and of each part of its response. They do not
 * depend on a finding's wording, nor on names, ids and times of a run.
 */
export type Shown = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/**
 * Collects the evidence of a run about its server's mistakes: symptoms, requirements that passed or stayed
 * open, and digests of all requests with a response.
 *
 * @param all exchanges of the run; those that findings name show what broke, but not what was correct
 */
export function evidenceIn(
  { requirements, exchanges }: Pick<Results, 'requirements' | 'exchanges'>,
  all: readonly Exchange[] = exchanges,
) {
  const known = new Map([...all, ...exchanges].map((exchange) => [exchange.id, exchange]));
  const store = storeIn(known.values());
  const having = (wanted: Outcome) =>
    new Set<string>(requirements.flatMap(({ id, outcome }) => (outcome === wanted ? [id] : [])));
  const broken = requirements.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned');
  return {
    shown: Object.fromEntries(broken.map((row) => [row.id, shownOf(row, known, store)])),
    passed: having('passed'),
    open: having('inconclusive'),
    asked: new Set(
      [...known.values()].flatMap((exchange) =>
        exchange.answer.kind === 'response' ? [digest(questionOf(exchange))] : [],
      ),
    ),
  };
}

export type Evidence = Readonly<ReturnType<typeof evidenceIn>>;

function shownOf(
  { id, findings }: RequirementResult,
  exchanges: ReadonlyMap<string, Exchange>,
  store: Store,
): Shown[string] {
  const shown: Record<string, string[]> = {};
  // Load findings on a requirement that an exchange violates already are the same mistake.
  const isShown = findings.some((finding) => exchanges.has(finding.exchanges.at(-1) ?? ''));
  // A limiter's mistake that spares the smallest plan concerns plans.
  const spared = findings.some(({ plan }) => plan === 'free') ? 'all plans' : 'not the Free plan';
  for (const { exchanges: ids, measured } of findings) {
    // The last exchange violated the statement. Those before it are controls.
    const exchange = exchanges.get(ids.at(-1) ?? '');
    if (!exchange && isShown) continue;
    const question = digest(exchange ? questionOf(exchange) : '');
    const controls = ids.slice(0, -1).flatMap((control) => exchanges.get(control) ?? []);
    const facts = (
      exchange
        ? receivedIn(id, exchange, controls, store)
        : [spared, ...(measured ? measuredIn(measured) : [])]
    ).map(digest);
    shown[question] = [...new Set([...(shown[question] ?? []), ...facts])];
  }
  return shown;
}

/** Prefix of questions that only some recordings of a mistake show. */
export const SOMETIMES = '?';

/** Merges recordings of a mistake on different stores. Keeps what all of them show; marks what only some show. */
export function recorded(recordings: readonly Shown[]): Shown {
  const ids = new Set(recordings.flatMap((shown) => Object.keys(shown)));
  return Object.fromEntries(
    [...ids].map((id) => {
      const rows = recordings.flatMap((shown) => (shown[id] ? [shown[id]] : []));
      const questions = [...new Set(rows.flatMap((row) => Object.keys(row)))].toSorted();
      return [
        id,
        Object.fromEntries(
          questions.map((question) => {
            const [first = [], ...others] = rows.flatMap((row) => (row[question] ? [row[question]] : []));
            const common = first.filter((fact) => others.every((other) => other.includes(fact))).toSorted();
            return [others.length + 1 === rows.length ? question : `${SOMETIMES}${question}`, common];
          }),
        ),
      ];
    }),
  );
}

/**
 * Returns a digest: short enough for hundreds of mistakes, long enough to avoid collisions among thousands of
 * texts.
 */
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 6);
