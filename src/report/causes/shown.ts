import { createHash } from 'node:crypto';
import type { Exchange } from '../../exchange/types.js';
import type { RequirementResult, Results } from '../../verdict/results.js';
import type { Outcome } from '../../verdict/verdict.js';
import { receivedIn, storeIn, type Store } from './received.js';

/** Headers that say nothing of what was asked. */
const IN_EVERY_REQUEST = /^(?:accept|accept-encoding|user-agent|traceparent|host|connection|content-(?:type|length))$/i;

/**
 * What a request asks, in words that are the same in every run: operation, credential, and path, query and body without
 * the names, ids and categories that belong to one store.
 */
function questionOf({ operation, intent, request }: Exchange): string {
  const { method, path, headers, body } = request;
  const credential = headers.filter(([name]) => !IN_EVERY_REQUEST.test(name)).map((header) => header.join(' '));
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

/** A body with the kit's names by their class, and a store's category as any. */
const bodyIn = (body: string): string =>
  body
    .replace(/"conformance-(?:[^"\\]|\\.)*"/g, (name) =>
      // oxlint-disable-next-line no-control-regex -- ASCII is what is meant
      name.length > 60 ? '"long"' : /^[\x00-\x7f]*$/.test(name) && !name.includes('\\') ? '"name"' : '"odd"',
    )
    .replace(/("categoryId":)\d{1,9}(?=[,}])/g, '$11')
    .replace(/^(\[[^,]*,)\d{1,9},/, '$11,');

/**
 * What broke, by requirement and by question: a digest of a request and of each thing that was received in answer to it. Nothing
 * in it hangs on how a finding is worded, nor on the names, ids and times of a run.
 */
export type Shown = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** What a run has to say of its server's mistakes. */
export interface Evidence {
  readonly shown: Shown;
  /** Requirements that passed. */
  readonly passed: ReadonlySet<string>;
  /** Requirements that could not be determined. */
  readonly open: ReadonlySet<string>;
  /** Digests of all requests that were answered. */
  readonly asked: ReadonlySet<string>;
}

/**
 * Reads the evidence off a run.
 * @param all exchanges of the run; those that findings name are enough to tell what broke, not what was answered well
 */
export function evidenceIn(
  { requirements, exchanges }: Pick<Results, 'requirements' | 'exchanges'>,
  all: readonly Exchange[] = exchanges,
): Evidence {
  const known = new Map([...all, ...exchanges].map((exchange) => [exchange.id, exchange]));
  const store = storeIn(known.values());
  const having = (wanted: Outcome) =>
    new Set(requirements.flatMap(({ id, outcome }) => (outcome === wanted ? [id] : [])));
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

function shownOf(
  { id, findings }: RequirementResult,
  exchanges: ReadonlyMap<string, Exchange>,
  store: Store,
): Shown[string] {
  const shown: Record<string, string[]> = {};
  // What load adds to a requirement that an exchange breaks already is the same mistake once more.
  const isShown = findings.some((finding) => exchanges.has(finding.exchanges.at(-1) ?? ''));
  // A limiter's mistake that spares the smallest plan is about the plans.
  const spared = findings.some(({ message }) => /\bfree\b/i.test(message)) ? 'all plans' : 'not the Free plan';
  for (const { exchanges: ids, ...finding } of findings) {
    // The last exchange broke the statement. Those before it are controls.
    const exchange = exchanges.get(ids.at(-1) ?? '');
    if (!exchange && isShown) continue;
    const question = digest(exchange ? questionOf(exchange) : '');
    const facts = [...receivedIn(id, finding, exchange, store), ...(exchange ? [] : [spared])].map(digest);
    shown[question] = [...new Set([...(shown[question] ?? []), ...facts])];
  }
  return shown;
}

/** Questions that some recordings of a mistake show and others do not begin with this. */
export const SOMETIMES = '?';

/**
 * One record of a mistake from several, made on different stores. Kept is what was received in all of them; what only some
 * show is marked.
 */
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

/** Short enough for hundreds of mistakes, long enough that no two of a few thousand texts meet by chance. */
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 6);
