import type { RequirementId } from '../../base/interface/types.js';
import { answerHeader, statusOf } from '../../wire/exchange/headers.js';
import { SAME_ANIMAL } from '../../judge/checks/animals.js';
import { animalsIn } from '../../judge/checks/pets.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { Measured } from '../../judge/findings/finding.js';
import { duration } from '../../base/kernel/format.js';
import type { RequirementResult, Results } from '../../outcome/results/results.js';
import type { LikelyCause } from './likely.js';

/**
 * What a recogniser of a mistake sees of a red row: its findings' measured values, texts and deciding
 * responses.
 */
interface Seen {
  readonly measured: readonly Measured[];
  readonly actual: readonly string[];
  readonly responses: readonly Exchange[];
}

/**
 * A mistake that developers make by nature, by the name of the flaw that shows it, and what of a red row
 * gives it away.
 */
interface Natural {
  readonly name: string;
  readonly rows: RegExp;
  /** Returns the mistake as a sentence with the amount measured; null where the row does not show it. */
  readonly sentence: (seen: Seen) => string | null;
}

const every = <Item>(items: readonly Item[], holds: (item: Item) => boolean): boolean =>
  items.length > 0 && items.every(holds);

const all = (text: (seen: Seen) => string, holds: (exchange: Exchange) => boolean) => (seen: Seen) =>
  every(seen.responses, holds) ? text(seen) : null;

const first = ({ measured }: Seen, holds: (one: Measured) => boolean): Measured | undefined =>
  measured.find(holds);

/** Largest part that rounding down to whole seconds loses, ms, with a reserve for the network. */
const MOST_ROUNDED_MS = 1_200;

/** Unix seconds lie between these; below are seconds to go, above milliseconds. */
const UNIX_SECONDS = [1e9, 1e11] as const;

const resetOf = (exchange: Exchange): number =>
  Number(answerHeader(exchange, 'x-ratelimit-reset') ?? Number.NaN);

/** Default of `limit` (part 4). */
const DEFAULT = 20;

/**
 * Returns the sentence for listings without parameters that all have the same wrong length, if it is one of
 * these.
 */
function otherDefault(isMeant: (count: number) => boolean): Natural['sentence'] {
  return ({ responses }) => {
    const plain = responses.filter(({ request }) => request.path.endsWith('/pets'));
    const counts = new Set(plain.map(animalsIn).map(({ length }) => length));
    const [count] = counts;
    return count !== undefined && counts.size === 1 && isMeant(count)
      ? `Without a limit a listing has ${count} animals in place of ${DEFAULT}.`
      : null;
  };
}

const filterOf = ({ request }: Exchange): string | null => /[?&]status=(\w+)/.exec(request.path)?.[1] ?? null;

/** Is true for a filtered listing that shows the wanted status and others. */
function isUnfiltered(exchange: Exchange): boolean {
  const { answer } = exchange;
  const shown = answer.kind === 'response' ? [...answer.text.matchAll(/"status"\s*:\s*"(\w+)"/g)] : [];
  const statuses = new Set(shown.map(([, status]) => status));
  return statuses.size > 1 && statuses.has(filterOf(exchange) ?? '');
}

const NATURAL: readonly Natural[] = [
  {
    name: 'missing-field-422',
    rows: /^create-|^declared-status$/,
    sentence: all(
      ({ responses }) =>
        `Invalid requests get 422 in place of 400, the default of many frameworks (${responses.length} seen).`,
      (one) => statusOf(one) === 422,
    ),
  },
  {
    name: 'created-with-200',
    rows: /^create-(?:ok|status-optional|each-status)$/,
    sentence: all(
      ({ responses }) => `A creation gets 200 in place of 201 (${responses.length} seen).`,
      (one) => statusOf(one) === 200,
    ),
  },
  {
    name: 'creation-again-returns-the-first',
    rows: /^pet-id-unique$/,
    sentence: ({ actual }) =>
      every(actual, (text) => text.endsWith(SAME_ANIMAL))
        ? 'A creation with the data of an earlier one returns that animal, and makes none.'
        : null,
  },
  {
    name: 'error-wrapped',
    rows: /^error-shape$/,
    sentence: all(
      ({ responses }) => `The Error is wrapped in another object (${responses.length} seen).`,
      ({ answer }) =>
        answer.kind === 'response' && /^\s*\{\s*"\w+"\s*:\s*\{[^{}]*"message"/.test(answer.text),
    ),
  },
  {
    name: 'default-limit-twenty-five',
    rows: /^list-limit-default$/,
    sentence: otherDefault((count) => count > DEFAULT),
  },
  {
    name: 'default-limit-ten',
    rows: /^list-limit-default$/,
    // An empty listing shows no limit.
    sentence: otherDefault((count) => count > 0 && count < DEFAULT),
  },
  {
    name: 'filter-ignored',
    rows: /^list-status-filter$/,
    sentence: ({ responses }) => {
      const filters = [...new Set(responses.flatMap((one) => filterOf(one) ?? []))];
      if (!every(responses, isUnfiltered)) return null;
      const which =
        filters.length === 1
          ? `The filter status=${filters[0]} is not applied`
          : 'The status filter is never applied';
      return `${which}: animals with other statuses come back.`;
    },
  },
  {
    name: 'reset-in-seconds-to-go',
    rows: /^rate-headers-wellformed$/,
    sentence: (seen) => {
      const reset =
        seen.responses.map(resetOf).find((value) => value < UNIX_SECONDS[0]) ??
        resetIn(seen, 0, UNIX_SECONDS[0]);
      return reset === undefined
        ? null
        : `Reset is the number of seconds to go (${reset}), not Unix seconds.`;
    },
  },
  {
    name: 'reset-in-milliseconds',
    rows: /^rate-headers-wellformed$/,
    sentence: (seen) => {
      const reset =
        seen.responses.map(resetOf).find((value) => value > UNIX_SECONDS[1]) ??
        resetIn(seen, UNIX_SECONDS[1], Infinity);
      return reset === undefined ? null : `Reset is in milliseconds (${reset}), not in seconds.`;
    },
  },
  {
    name: 'no-rate-headers-on-errors',
    rows: /^rate-headers-present$/,
    sentence: ({ actual }) => {
      const statuses = actual
        .flatMap((text) => /\(status ([\d, ]+)\)/.exec(text)?.[1]?.split(', ') ?? [])
        .map(Number);
      return every(statuses, (status) => status >= 400)
        ? `Only successful responses have rate headers: those with ${[...new Set(statuses)].join(', ')} have none.`
        : null;
    },
  },
  {
    name: 'retry-after-rounded-down',
    rows: /^rate-retry-after-honoured$/,
    sentence: (seen) => {
      const early = first(
        seen,
        ({ dueMs = 0, tookMs = 0 }) => tookMs >= dueMs && tookMs - dueMs < MOST_ROUNDED_MS,
      );
      return early?.tookMs === undefined || early.dueMs === undefined
        ? null
        : `Retry-After is rounded down: still refused ${duration(early.tookMs - early.dueMs)} after it had passed.`;
    },
  },
  {
    name: 'limit-one-over',
    rows: /^rate-429$/,
    sentence: (seen) => {
      const over = first(seen, ({ most, got }) => most !== undefined && got === most + 1);
      return over ? `One request too many is allowed: ${over.got} in place of ${over.most}.` : null;
    },
  },
  {
    name: 'remaining-one-behind',
    rows: /^rate-remaining-counts$/,
    sentence: (seen) =>
      first(seen, ({ most, got }) => most === 0 && got === 1)
        ? 'Remaining is one too high: it is read before the request is counted.'
        : null,
  },
];

/** Rows that one allowance for several keys fails. */
const OF_SHARED = ['rate-limit-value', 'rate-per-key', 'rate-not-early'] as const;

/**
 * Returns a limit that all keys share, such as one per address, as the cause of every row in which it shows;
 * null without one. A key that is refused because of another's requests is not refused early for a second
 * reason. Pure.
 */
export function sharedAllowance({ requirements }: Pick<Results, 'requirements'>): LikelyCause | null {
  const failed = (id: string) => requirements.find((row) => row.id === id && row.outcome === 'failed');
  const perKey = failed('rate-per-key')?.findings.find(({ measured }) =>
    ['refused', 'fell'].some((how) => measured?.what?.includes(how)),
  );
  if (perKey === undefined) return null;
  const shown = `${perKey.message.replace(/\.$/, '')} (${perKey.actual ?? 'refused'}).`;
  const limits = new Set(
    failed('rate-limit-value')?.findings.flatMap(
      ({ actual }) => /X-RateLimit-Limit: (\d+) on/.exec(actual ?? '')?.[1] ?? [],
    ),
  );
  const [limit] = limits;
  const isOfOneFigure = limit !== undefined && limits.size === 1;
  const [name, title] = isOfOneFigure
    ? ['counted-by-address', `All keys share one allowance of ${limit}, as a limit per address does.`]
    : ['keys-share-one-counter', 'All keys share one counter, as a limit per address does.'];
  const rows = OF_SHARED.filter((id) => failed(id) && (isOfOneFigure || id !== 'rate-limit-value'));
  return { flaws: [{ name, title: `${title} ${shown}` }], rows };
}

/**
 * Finds a whole Reset in the texts of findings, which under load name no response. A date begins with digits
 * as well.
 */
const resetIn = ({ actual }: Seen, least: number, most: number): number | undefined =>
  actual
    .flatMap((text) => /X-RateLimit-Reset: (\d+)(?![\d.:-])/.exec(text)?.[1] ?? [])
    .map(Number)
    .find((value) => value > least && value < most);

/**
 * Returns the commonest mistakes by nature that failed rows show by themselves, with the amount measured.
 * Rows that show the same mistake are one cause. Pure.
 *
 * @param explained rows with a cause already
 */
export function naturalCauses(
  { requirements, exchanges }: Pick<Results, 'requirements' | 'exchanges'>,
  explained: ReadonlySet<string>,
): readonly LikelyCause[] {
  const known = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const causes = new Map<string, { title: string; rows: RequirementId[] }>();
  for (const row of requirements) {
    if (row.outcome !== 'failed' || explained.has(row.id)) continue;
    const seen = seenIn(row, known);
    for (const { name, rows, sentence } of NATURAL) {
      const title = rows.test(row.id) ? sentence(seen) : null;
      if (title === null) continue;
      const cause = causes.get(name);
      if (cause) cause.rows.push(row.id);
      else causes.set(name, { title, rows: [row.id] });
      break;
    }
  }
  return [...causes].map(([name, { title, rows }]) => ({ flaws: [{ name, title }], rows }));
}

const seenIn = ({ findings }: RequirementResult, exchanges: ReadonlyMap<string, Exchange>): Seen => ({
  measured: findings.flatMap(({ measured }) => measured ?? []),
  actual: findings.flatMap(({ actual }) => actual ?? []),
  responses: findings.flatMap((finding) => exchanges.get(finding.exchanges.at(-1) ?? '') ?? []),
});
