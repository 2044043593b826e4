import { answerHeader, statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { Measured } from '../../judge/findings/finding.js';
import { animalsOf, petView } from '../../judge/checks/pets.js';
import { readJson, writeJson, type Json, parsedJson } from '../../base/kernel/json.js';

/** Animals in listings, with their status. */
export type Store = ReadonlyMap<string, string>;

/** Longer than any integer of the interface. */
const MOST_DIGITS = 40;
/** Deeper than any body of the interface. */
const DEEPEST = 6;

/**
 * Returns the received parts that violated a requirement, by kind of requirement. Values are described by
 * their difference from the expected ones, to mean the same on every store.
 *
 * @param controls the finding's other exchanges
 */
export function receivedIn(
  row: string,
  exchange: Exchange,
  controls: readonly Exchange[],
  store: Store,
): readonly string[] {
  const status = String(statusOf(exchange) ?? (exchange.answer.kind === 'none' ? exchange.answer.code : ''));
  if (/^rate-headers|^rate-limit/.test(row)) return [headersIn(exchange)];
  if (row === 'json-media-type')
    return [
      answerHeader(exchange, 'content-type') ?? 'none',
      textIn(exchange).trim().slice(0, 1),
      endOf(exchange),
    ];
  if (/shape$|^pets-array$|^error-status/.test(row)) return [shapeIn(exchange, row)];
  if (/^list-(?:limit|page|filter|status|shows)/.test(row))
    return [status, lengthIn(exchange, store), statusesIn(exchange)];
  return [status, membersIn(exchange), ...differencesIn(exchange, controls)];
}

/** Describes what a load run measured. */
export const measuredIn = ({ most, got, dueMs, tookMs, status, what = [] }: Measured): readonly string[] => [
  ...what.map((name) => name.replace(/\d+/g, '#')),
  ...(status === undefined ? [] : [String(status)]),
  ...(most === undefined || got === undefined ? [] : [amountOf(most, got)]),
  // In tenths: half a window is not a sixth.
  ...(dueMs === undefined || tookMs === undefined ? [] : [(tookMs / dueMs).toFixed(1)]),
];

/** Members of an animal that responses may give differently. */
const COMPARED = ['rawId', 'name', 'categoryId', 'status'] as const;

/**
 * Describes how received animals differ from the sent one, and from the same ones in the finding's other
 * exchanges. Both directions count: either response may be the wrong one.
 */
function differencesIn(exchange: Exchange, controls: readonly Exchange[]): readonly string[] {
  const sent = [exchange, ...controls].flatMap(sentIn);
  const shown = controls.flatMap(animalsOf);
  const received = animalsOf(exchange);
  const differences = received.flatMap((pet) => {
    const alike = shown.filter(({ id }) => id !== null && id === pet.id);
    return [...(received.length === 1 ? sent : []), ...alike].flatMap((other) =>
      COMPARED.flatMap((member) => {
        const [was, is] = [textOf(other[member]), textOf(pet[member])];
        if (was === is || was === null) return [];
        if (is === null) return [`no ${member}`];
        return [
          `${member} ${differenceOf(was, is, textIn(exchange))}`,
          `${member} from ${differenceOf(is, was, '')}`,
        ];
      }),
    );
  });
  return [...new Set(differences)];
}

const sentIn = ({ request }: Exchange) => {
  const read = readJson(request.body ?? '');
  return read.ok ? [petView(read.value)] : [];
};

const textOf = (value: Json | undefined): string | null =>
  value === undefined ? null : typeof value === 'string' ? value : writeJson(value);

/** Classifies an amount: one too many is another mistake than twice as many. */
const amountOf = (most: number, got: number): string =>
  got - most === 1
    ? 'one more'
    : most - got === 1
      ? 'one less'
      : got <= most / 2
        ? 'half or less'
        : got < most
          ? 'less'
          : got <= 1.2 * most
            ? 'some more'
            : got <= 2 * most
              ? 'many more'
              : 'over twice';

/** Collects the animals of all listings: the most a page may contain. */
export function storeIn(exchanges: Iterable<Exchange>): Store {
  const store = new Map<string, string>();
  for (const exchange of exchanges)
    if (exchange.operation === 'listPets' && statusOf(exchange) === 200)
      for (const { id, status } of animalsIn(exchange) ?? []) store.set(String(id), String(status));
  return store;
}

function animalsIn(exchange: Exchange): readonly Readonly<Record<string, unknown>>[] | null {
  const body = bodyIn(exchange);
  return Array.isArray(body) ? body.filter((each) => typeof each === 'object' && each !== null) : null;
}

function lengthIn(exchange: Exchange, store: Store): string {
  const animals = animalsIn(exchange);
  if (!animals) return 'no list';
  const query = new URLSearchParams(exchange.request.path.split('?')[1]);
  const [limit, status] = [Number(query.get('limit') ?? DEFAULT_LIMIT), query.get('status')];
  const { length } = animals;
  if (length === 0 || Math.abs(length - limit) === 1) return length === 0 ? 'empty' : amountOf(limit, length);
  const all = [...store.values()].filter((each) => status === null || each === status).length;
  return length === all || length === store.size ? 'all' : String(length);
}

const DEFAULT_LIMIT = 20;

const statusesIn = (exchange: Exchange): string =>
  new URLSearchParams(exchange.request.path.split('?')[1]).has('status')
    ? [...new Set((animalsIn(exchange) ?? []).map(({ status }) => String(status)))].toSorted().join()
    : '';

function headersIn(exchange: Exchange): string {
  const date = Date.parse(answerHeader(exchange, 'date') ?? '') / 1000;
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    answerHeader(exchange, `x-ratelimit-${name}`),
  );
  const ahead = Number(reset) - date;
  return [
    limit?.replace(/\d+/g, '#') ?? 'none',
    formOf(remaining),
    Number(remaining) > Number(limit) ? 'above' : '',
    formOf(reset),
    othersIn(exchange),
    // In hours, so that the window's seconds make no difference.
    Number.isNaN(ahead) ? '' : String(Math.round(Math.max(-1e6, Math.min(1e6, ahead)) / 1800)),
  ].join(' ');
}

const othersIn = ({ answer }: Exchange): string =>
  answer.kind !== 'response'
    ? ''
    : answer.headers
        .map(([name]) => name.toLowerCase())
        .filter((name) => /rate-?limit/.test(name) && !/^x-ratelimit-(?:limit|remaining|reset)$/.test(name))
        .toSorted()
        .join();

const formOf = (value: string | null | undefined): string =>
  value
    ?.replace(/\d+/g, (digits) => (digits.length >= 9 ? `#${digits.length}` : '#'))
    .replace(/[A-Z][a-z]{2}/g, 'Aaa') ?? 'none';

const textIn = ({ answer }: Exchange): string => (answer.kind === 'response' ? answer.text : '');

const endOf = (exchange: Exchange): string => (bodyIn(exchange) === undefined ? 'unreadable' : 'readable');

const bodyIn = (exchange: Exchange): unknown => parsedJson(textIn(exchange));

/** Describes a body by its members' types; errors and status are kept in full. */
function shapeIn(exchange: Exchange, row: string): string {
  const status = statusOf(exchange);
  const shape = (value: unknown, member: string, depth = 0): string => {
    if (depth > DEEPEST) return '…';
    if (Array.isArray(value))
      return `[${[...new Set(value.map((each) => shape(each, '', depth + 1)))].toSorted().join('|')}]`;
    if (typeof value === 'object' && value !== null)
      return `{${Object.entries(value)
        .map(([name, each]) => `${/^\d+$/.test(name) ? '#' : name}:${shape(each, name, depth + 1)}`)
        .toSorted()
        .filter((each, at, all) => each !== all[at - 1])
        .join()}}`;
    if (member === 'status' && row.startsWith('error'))
      return value === status ? 'same' : JSON.stringify(value);
    if (member === 'status')
      return ['available', 'pending', 'sold'].includes(String(value)) ? 'ok' : JSON.stringify(value);
    return value === null ? 'null' : typeof value;
  };
  const body = bodyIn(exchange);
  return body === undefined ? `no JSON: ${textIn(exchange) === '' ? 'empty' : 'text'}` : shape(body, '');
}

function membersIn(exchange: Exchange): string {
  const body = bodyIn(exchange);
  if (Array.isArray(body)) return body.length === 0 ? '[]' : '[…]';
  return typeof body === 'object' && body !== null ? Object.keys(body).toSorted().join() : typeof body;
}

const withoutRun = (name: string): string =>
  name.replace(/conformance-[\da-f]+ N[\da-f]+/gi, 'N').replace(/\d+/g, '#');

/** Returns a value's difference from the expected one, or the value itself. */
function differenceOf(was: string, is: string, text: string): string {
  if (/^-?\d+$/.test(was) && /^-?[\d.e+]+$/i.test(is)) return numberDifference(was, is);
  const forms: readonly (readonly [string, string])[] = [
    ['lower', was.toLowerCase()],
    ['upper', was.toUpperCase()],
    ['trimmed', was.trim()],
    ['NFC', was.normalize('NFC')],
    ['NFD', was.normalize('NFD')],
    ['blanks', was.replace(/\s+/g, ' ')],
  ];
  const form = forms.find(([, changed]) => changed === is)?.[0];
  if (form !== undefined) return form;
  if (was.startsWith(is)) return `cut to ${is.length}`;
  return text.split(JSON.stringify(is)).length > 2 ? 'of another' : `other ${withoutRun(is)}`;
}

function numberDifference(was: string, is: string): string {
  if (!/^-?\d+$/.test(is)) return is.replace(/\d+/g, '#');
  if (was.length > MOST_DIGITS || is.length > MOST_DIGITS) return 'long';
  const [before, after] = [BigInt(was), BigInt(is)];
  if (after === BigInt(Number(was)) && before !== after) return 'rounded';
  if (after === BigInt.asIntN(32, before) && before !== after) return '32 bits';
  if (after - before === 1n || before - after === 1n) return after > before ? 'one more' : 'one less';
  if (after < 0n) return 'negative';
  return after === 0n ? '0' : is.length <= 3 ? is : 'another';
}
