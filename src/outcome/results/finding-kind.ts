import { newPetMembers } from '../../base/interface/resources.js';
import { isInt64, isObject, member, readJson, writeJson, type Json } from '../../base/kernel/json.js';
import { loadContract } from '../../base/interface/contract.js';
import type { Parameter } from '../../base/interface/listing-query.js';
import { petStatuses } from '../../base/interface/names.js';
import type { Requirement } from '../../base/interface/types.js';
import { statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { Measured, Violation } from '../../judge/findings/finding.js';
import { MANNERS } from '../../judge/checks/changed-value.js';
import { mustBeRefused } from '../../judge/checks/status.js';
import { isOwn } from '../../log/own-exchange.js';
import { clip } from '../../base/kernel/visible.js';

/**
 * Returns the kind of a violation of one row, such as `createPet name=null: 201`: operation, class of
 * request, and what was wrong. Baselines and comparisons hold kinds, so a kind depends on no sentence, and on
 * no name, id, time or plan of one run. Pure.
 *
 * @param exchanges those of the run, by id
 */
export function kindOfFinding(
  finding: Pick<Violation, 'exchanges' | 'measured' | 'story'>,
  row: Pick<Requirement, 'id' | 'judgedBy'>,
  exchanges: ReadonlyMap<string, Exchange>,
): string {
  // The first exchange broke the statement; the others are its controls.
  const exchange = finding.exchanges.flatMap((id) => exchanges.get(id) ?? [])[0];
  const { measured } = finding;
  if (!exchange) return joined('series', measured ? measuredWords(measured) : []);
  const status = statusOf(exchange);
  const isServed = status !== null && status < 300 && mayBeServed(exchange, status);
  const what = [...(isServed ? [] : [String(status ?? 'no response')]), ...(measured?.what ?? [])];
  // Rate headers are the same matter on every operation, and which came first is the selection's.
  if (row.judgedBy.kind !== 'suite' && row.id.startsWith('rate-')) return joined('any response', what);
  const isCase = isServed || isCaseOf(row.id, exchange);
  // Exploring sends other requests in each run, and a passive row judges whatever was sent.
  const isNamed =
    isCase &&
    finding.story === undefined &&
    row.judgedBy.kind === 'suite' &&
    !isOwn(exchange) &&
    !what.includes(OF_SEVERAL);
  return joined(
    [exchange.operation ?? exchange.request.method, ...(isNamed ? requestClass(exchange) : [])].join(' '),
    what,
  );
}

/** Shows in any two of many requests: which come first is a matter of the store and of the selection. */
const OF_SEVERAL = 'two filters';

/** Returns whether a success is not the violation itself. */
const mayBeServed = ({ intent }: Exchange, status: number): boolean =>
  intent.kind === 'open' || intent.statuses.includes(status);

/**
 * Returns whether the status of a request is charged to the row. The refusal of a key, for example, may show
 * in any request.
 */
const isCaseOf = (row: string, { intent }: Exchange): boolean =>
  intent.kind === 'expects' ? intent.chargedTo === row : intent.kind === 'open';

const joined = (subject: string, what: readonly string[]): string =>
  what.length === 0 ? subject : `${subject}: ${what.join(', ')}`;

/** Words that only hint at a cause: a busy machine may hide them in the next run. */
const HINTS: ReadonlySet<string> = new Set(['apart', 'fraction']);

/** Describes what a series of responses showed, as coarsely as two runs with the same mistake agree. */
const measuredWords = ({ most, got, dueMs, tookMs, status, what = [] }: Measured): readonly string[] => [
  // Some are a header's value, which may hold a moment. A mere number is a fixed figure.
  ...what
    .filter((name) => !HINTS.has(name))
    .map((name) =>
      /^\d+$/.test(name)
        ? name
        : clip(name.replace(/\d+/g, '#').replace(/\b[A-Z][a-z]{2}\b/g, 'Aaa'), MOST_QUOTED),
    ),
  ...(status === undefined ? [] : [String(status)]),
  ...(most === undefined || got === undefined ? [] : [amountClass(most, got)]),
  ...(dueMs === undefined || tookMs === undefined ? [] : [timeClass(dueMs, tookMs)]),
];

/** A limiter that allows one too many may allow two more in the next run, but not twice as many. */
const FEW = 1.2;

const amountClass = (most: number, got: number): string =>
  got > most
    ? got <= FEW * most + 1
      ? 'slightly more'
      : 'more'
    : got < 0
      ? 'negative'
      : got === 0
        ? 'none'
        : 'less';

const timeClass = (dueMs: number, tookMs: number): string =>
  tookMs >= dueMs ? 'late' : tookMs > dueMs / 2 ? 'early' : 'in less than half the time';

function requestClass(exchange: Exchange): readonly string[] {
  const { operation, request, credential } = exchange;
  const [path = '', query = ''] = request.path.split('?');
  return [
    // Ids that are served are the store's, of any length.
    ...(operation === 'getPet' && mustBeRefused(exchange) ? idClass(path) : []),
    ...queryClass(query),
    ...(operation === 'createPet' ? bodyClass(request.body) : []),
    ...(credential.kind === 'valid'
      ? []
      : [credential.kind === 'none' ? 'without a key' : `with ${credential.manner}`]),
  ];
}

/** Describes an id that no animal has. Such ids are made up in each run, except for the bounds of int64. */
function idClass(path: string): readonly string[] {
  const id = path.slice(path.lastIndexOf('/') + 1);
  return /^\d{1,18}$/.test(id) ? [] : [`id=${id}`];
}

/**
 * Describes a query by its declared parameters; others carry a key, which the credential names. The size of
 * the store decides which numbers between the bounds are tried.
 */
const queryClass = (query: string): readonly string[] => {
  const declared: Readonly<Partial<Record<string, Parameter>>> = loadContract().listing;
  return [...new URLSearchParams(query)]
    .flatMap(([name, value]) => {
      const parameter = Object.hasOwn(declared, name) ? declared[name] : undefined;
      return parameter ? [isBetween(parameter, value) ? name : `${name}=${value}`] : [];
    })
    .toSorted();
};

const isBetween = (parameter: Parameter, value: string): boolean =>
  parameter.kind === 'integer' &&
  /^[1-9]\d*$/.test(value) &&
  Number(value) > parameter.min &&
  Number(value) < parameter.max;

const STATUSES: ReadonlySet<unknown> = new Set([...petStatuses, undefined]);
const MEMBERS: ReadonlySet<string> = new Set(newPetMembers);
/** Characters of a quoted value: as many as distinguish the kit's own values. */
const MOST_QUOTED = 40;

/** Describes how a creation's body differs from a plain one. */
function bodyClass(body: string | null): readonly string[] {
  if (body === null || body === '') return ['no body'];
  const read = readJson(body);
  if (!read.ok) return ['no JSON'];
  const pet = read.value;
  // The string is a name, which is made up in each run.
  if (typeof pet === 'string') return ['a string'];
  if (!isObject(pet)) return [Array.isArray(pet) && pet.length > 0 ? 'array of members' : quoted(pet)];
  const [name, categoryId, status] = [member(pet, 'name'), member(pet, 'categoryId'), member(pet, 'status')];
  return [
    ...(typeof name === 'string' ? nameClass(name) : valueClass('name', name)),
    ...categoryClass(categoryId),
    ...(STATUSES.has(status) ? [] : valueClass('status', status)),
    ...Object.keys(pet)
      .filter((other) => !MEMBERS.has(other))
      .map((other) => `+${clip(other, MOST_QUOTED)}`),
  ];
}

/**
 * Describes a category. A store decides which of its categories a creation names, as a number or in another
 * form; a whole number beyond int64 is the kit's own.
 */
function categoryClass(value: Json | undefined): readonly string[] {
  if (value === undefined) return valueClass('categoryId', value);
  const text = writeJson(value);
  const isWhole = /^-?\d+$/.test(text);
  if (!isInt64(value) || !isWhole)
    return [`categoryId=${clip(isWhole ? text : text.replace(/\d+/g, '#'), MOST_QUOTED)}`];
  return Math.abs(Number(value.value)) < Number.MAX_SAFE_INTEGER ? [] : ['categoryId above 2^53'];
}

/** Longer than a plain name of the kit. */
const LONG = 60;

const nameClass = (name: string): readonly string[] =>
  name === ''
    ? ['name=""']
    : name.length > LONG
      ? ['name=long']
      : /^[\w -]*$/.test(name)
        ? []
        : ['name=unusual'];

const valueClass = (name: string, value: Json | undefined): readonly string[] => [
  value === undefined ? `no ${name}` : `${name}=${quoted(value)}`,
];

const quoted = (value: Json): string => clip(writeJson(value), MOST_QUOTED);

const FILTER = new RegExp(` status=(?:${petStatuses.join('|')})(?=[ :]|$)`);
const MANNER = new RegExp(` (?:${MANNERS.join('|')})(?=,|$)`, 'g');
/** A limit in the kind of a changed value: which page shows the animal depends on the size of the store. */
const SIZE_OF_VALUE = new RegExp(` limit(?:=\\d+)?(?=[ :].* (?:${MANNERS.join('|')})(?:,|$))`);
/** Figures of a Limit that is not the plan's, after what earlier kits recorded of it. */
const FIGURES = /^((?:any response|\w+): (?:all|some|limit, not-the-plans))(?:, (?:\d+|varies))+/;
/** Figure of an Error's status, which earlier kits did not record. */
const OF_ERROR = /(: \d{3}, another status), \d{1,3}$/;
/** What is wrong with a page, which earlier kits did not record. */
const OF_PAGE = /^(listPets\b[^:]*): (?:too many|too few(?:, \d+)?|another status)$/;

/**
 * Returns the kinds that the known ones do not cover. A plain listing covers the same fault of a filtered
 * one: how many animals have a status decides which filters show it, and each run adds some. A kind without
 * what became of the value, or without its figure, as earlier kits recorded it, covers all of them. Pure.
 */
export const kindsBeyond = (kinds: readonly string[], known: readonly string[]): readonly string[] => {
  const wide = known.map(ofSeveral);
  const accepted = new Set([...wide, ...wide.map(ofAnySize), ...known.map(ofAnyResponse)]);
  return kinds.filter((kind) => {
    const wider = [kind, kind.replace(FILTER, ''), ofAnySize(kind.replace(FILTER, ''))].map(ofSeveral);
    return ![
      ...wider,
      ...wider.map((each) =>
        each.replaceAll(MANNER, '').replace(FIGURES, '$1').replace(OF_PAGE, '$1').replace(OF_ERROR, '$1'),
      ),
    ].some((each) => accepted.has(each));
  });
};

const ofAnySize = (kind: string): string => kind.replace(SIZE_OF_VALUE, '');

/** Leaves out the operation that an earlier kit named where any may show the fault. */
const ofAnyResponse = (kind: string): string => kind.replace(/^(?!series)\w+(?=:|$)/, 'any response');

/** Leaves out the request that an earlier kit named where any two show the fault. */
const ofSeveral = (kind: string): string => kind.replace(/^(listPets) .*(: two filters)$/, '$1$2');

/**
 * Returns the kinds of a row's violations, each once; null where an earlier kit recorded them without a kind,
 * so that they cannot be compared. Pure.
 */
export function kindsOf({
  findings,
}: {
  readonly findings?: readonly { readonly kind?: string }[];
}): readonly string[] | null {
  const kinds = new Set<string>();
  for (const { kind } of findings ?? []) {
    if (kind === undefined) return null;
    kinds.add(kind);
  }
  return [...kinds];
}
