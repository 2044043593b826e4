import { answerHeader, statusOf } from '../../wire/exchange/headers.js';
import { SAME_ANIMAL } from '../../judge/checks/animals.js';
import { animalsIn } from '../../judge/checks/pets.js';
import type { Measured } from '../../judge/findings/finding.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { all, allMeasured, bodyText, every, isRed, type Natural } from './natural-mistake.js';

/** Default of `limit` (part 4). */
const DEFAULT = 20;

/**
 * Returns the sentence for listings without parameters that all have the same wrong length, if it is one of
 * these.
 */
function otherDefault(isMeant: (count: number) => boolean): Natural['sentence'] {
  return ({ responses, run }) => {
    // Where limits are not kept either, the default is not what is wrong.
    if (isRed({ run }, 'list-limit-max-items')) return null;
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
  const shown = [...bodyText(exchange).matchAll(/"status"\s*:\s*"(\w+)"/g)];
  const statuses = new Set(shown.map(([, status]) => status));
  return statuses.size > 1 && statuses.has(filterOf(exchange) ?? '');
}

const status = (wanted: number, words: string): Natural['sentence'] =>
  all((one) => statusOf(one) === wanted, words);

/** Is true if every response is an error in this media type. */
const errorsIn = (mediaType: string, words: string): Natural['sentence'] =>
  all(
    (one) =>
      (statusOf(one) ?? 0) >= 400 &&
      (answerHeader(one, 'content-type') ?? '').toLowerCase().startsWith(mediaType),
    words,
  );

const body = (pattern: RegExp, words: string): Natural['sentence'] =>
  all((one) => pattern.test(bodyText(one)), words);

/** Mistakes in statuses and bodies that developers and frameworks make by default. */
export const REQUEST_MISTAKES: readonly Natural[] = [
  {
    name: 'missing-field-422',
    rows: /^create-|^declared-status$/,
    sentence: status(422, 'Invalid requests get 422 in place of 400, the default of many frameworks'),
  },
  {
    name: 'created-with-200',
    rows: /^create-(?:ok|status-optional|each-status)$/,
    sentence: status(200, 'A creation gets 200 in place of 201'),
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
    sentence: body(/^\s*\{\s*"\w+"\s*:\s*\{[^{}]*"message"/, 'The Error is wrapped in another object'),
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
    name: 'error-as-problem-json',
    rows: /^json-media-type$|^error-shape$/,
    sentence: errorsIn(
      'application/problem+json',
      'Errors are application/problem+json, the default of many frameworks',
    ),
  },
  {
    name: 'errors-as-html',
    rows: /^json-media-type$|^error-shape$/,
    sentence: errorsIn('text/html', 'Errors are HTML pages, a framework’s default'),
  },
  {
    name: 'error-of-fastapi',
    rows: /^error-shape$/,
    sentence: body(/^\s*\{\s*"detail"\s*:/, 'The Error is FastAPI’s default, {"detail": …}'),
  },
  {
    name: 'error-of-spring',
    rows: /^error-shape$/,
    sentence: body(
      /^\s*\{\s*"timestamp"\s*:.*"path"\s*:/s,
      'The Error is Spring Boot’s default, with timestamp and path',
    ),
  },
  {
    name: 'error-of-nest',
    rows: /^error-shape$/,
    sentence: body(
      /^\s*\{.*"statusCode"\s*:\s*\d/s,
      'The Error has statusCode in place of status, the default of NestJS and Fastify',
    ),
  },
  {
    name: 'error-status-string',
    rows: /^error-shape$/,
    sentence: body(/"status"\s*:\s*"\d{3}"/, 'The status in an Error is a text, not an integer'),
  },
  {
    name: 'listing-wrapped',
    rows: /^pets-array$/,
    sentence: all(
      (one) => memberOf(one) !== null,
      (first) => `The listing is wrapped in an object, in “${memberOf(first)}”`,
    ),
  },
  {
    name: 'category-in-snake-case',
    rows: /^pet-shape$/,
    sentence: body(/"category_id"\s*:/, 'categoryId is written category_id'),
  },
  {
    name: 'id-as-text',
    rows: /^pet-shape$/,
    sentence: body(/"id"\s*:\s*"-?\d+"/, 'An id is written as a text, not as a number'),
  },
  {
    name: 'status-null',
    rows: /^pet-shape$/,
    sentence: body(/"status"\s*:\s*null/, 'An animal without a status has status null, not none'),
  },
  {
    name: 'numbers-as-doubles',
    rows: /^pet-int64$/,
    // A double also shows a number beyond int64 that the server took.
    sentence: (seen) =>
      allMeasured(seen, (one) => hasLostDigits(one) || one.what?.includes('range') === true) &&
      seen.measured.some(hasLostDigits) &&
      seen.responses.some(hasRounded)
        ? 'Numbers above 2^53 are rounded: JSON numbers are read as doubles.'
        : null,
  },
  {
    name: 'integers-of-fewer-bits',
    rows: /^pet-int64$/,
    sentence: (seen) =>
      allMeasured(seen, ({ what = [] }) => what.some((part) => part.endsWith(' wrapped')))
        ? 'Large integers are wrapped: they are kept in fewer bits than an int64 has.'
        : null,
  },
  {
    name: 'invalid-request-500',
    rows: /^create-(?:missing-field|invalid-value|body-required|malformed-json)$/,
    sentence: status(500, 'Invalid requests get 500: an error is not caught'),
  },
  {
    name: 'forbidden-without-a-key',
    rows: /^auth-(?:missing|invalid)-key$|^auth-(?:bearer|header)-only$|^auth-before-work$/,
    sentence: status(
      403,
      'Without a valid key 403 comes in place of 401, a default of Spring Security and FastAPI',
    ),
  },
  {
    name: 'unknown-id-500',
    rows: /^get-unknown$/,
    sentence: status(500, 'An unknown id gets 500: the missing row is not caught'),
  },
  {
    name: 'unknown-id-null',
    rows: /^get-unknown$/,
    sentence: all(
      (one) => [200, 204].includes(statusOf(one) ?? 0) && /^\s*(?:null)?\s*$/.test(bodyText(one)),
      (first) => `An unknown id gets ${statusOf(first)} without an animal`,
    ),
  },
];

/** Member of an object in which a listing is wrapped; null without one. */
const memberOf = (exchange: Exchange): string | null =>
  /^\s*\{(?:\s*"\w+"\s*:\s*[\w."-]+\s*,)*\s*"(\w+)"\s*:\s*\[/.exec(bodyText(exchange))?.[1] ?? null;

const hasLostDigits = ({ what = [] }: Measured): boolean =>
  what.some((part) => /^(?:id|category) digits$| rounded$/.test(part));

/** Is true for a response with an integer beyond 2^53 that a double can hold. */
const hasRounded = (exchange: Exchange): boolean =>
  [...bodyText(exchange).matchAll(/"(?:id|categoryId)"\s*:\s*(\d{16,19})\b/g)].some(
    ([, digits = '']) =>
      BigInt(Number(digits)) === BigInt(digits) && Number(digits) > Number.MAX_SAFE_INTEGER,
  );
