import type { Behaviour, Change, Context } from '../../reference/behaviour.js';
import { after, chain, early, on, seams, type Test, withStatus } from '../changes/requests.js';
import { asText, bare, emptying, headed, onAnswers, onFigures } from '../changes/answers.js';
import {
  type Answer,
  errorAnswer,
  type Header,
  invalid,
  type Problem,
  refused,
  withHeader,
} from '../../reference/messages.js';
import { AUTHENTICATION, FETCHING, IN_2031, unchanged, variantsOf } from '../registry.js';
import { fixedWindow, type Limiter } from '../../reference/limiter.js';

const isUndeclared = ({ route }: Context) => route.kind === 'undeclared-method';

const isMalformed: Test = ({ request }) => /\/pets\/[^/]*[^/\d-][^/]*$/.test(request.path);

/** Responds to paths and methods outside the interface; null continues. */
const onUndeclared = (answer: (context: Context) => Answer | null): Change =>
  after('undeclared', (usual, context) => answer(context) ?? usual);

const refusingIds = (problem: Problem): Change =>
  after('readId', (id, text) => (/^-?\d+$/.test(text) ? id : refused(problem)));

const empty = (status: number, ...headers: readonly Header[]): Answer => ({
  status,
  headers,
  body: { kind: 'none' },
});

/** Maximum requests without a key per minute, if they are limited. */
const STRANGERS = 30;

export const routingVariants = variantsOf('suites', {
  'deprecation-headers: The response to a fetch has Deprecation, Sunset and a Link to the replacement.':
    headed(
      on('getPet'),
      ['Deprecation', '@1767225600'],
      ['Sunset', 'Thu, 05 Dec 2030 00:00:00 GMT'],
      ['Link', '</v1/pets?status=available>; rel="successor-version"'],
    ),
  'trailing-slash-redirected: A path with a final slash is redirected to the one without.': onUndeclared(
    ({ request: { path } }) => (path.endsWith('/') ? empty(308, ['Location', path.slice(0, -1)]) : null),
  ),
  'malformed-id-400: An id that is no integer is rejected with 400.': refusingIds(
    invalid('the id must be an integer'),
  ),
  'malformed-id-422: An id that is no integer is rejected with 422.': refusingIds({
    status: 422,
    code: 'invalid_id',
    message: 'the id must be an integer',
  }),
  'malformed-id-by-router: The router accepts only ids of digits; others get its own page before any limit is counted.':
    chain(
      onAnswers(isMalformed, (answer) => ({
        ...asText(answer, '<h1>Not Found</h1>', 'text/html'),
        status: 404,
      })),
      bare(isMalformed),
    ),
  'malformed-id-page: An id that is no integer gets the page of the web application at the same origin.':
    chain(
      onAnswers(isMalformed, (answer) => ({
        ...asText(answer, '<!doctype html><div id="app"></div>', 'text/html'),
        status: 200,
      })),
      bare(isMalformed),
    ),
  'head-answered: HEAD returns the same as GET, without a body.': chain(
    seams(({ route }) => ({
      route: (request, basePath) =>
        route(request.method === 'HEAD' ? { ...request, method: 'GET' } : request, basePath),
    })),
    emptying(({ request }) => request.method === 'HEAD'),
  ),
  'scheme-counted-apart: A gateway counts by the raw Authorization, so "bearer" has an allowance of its own.':
    [
      after(
        'bucket',
        (bucket, { request }) => `${bucket} ${request.headers.authorization?.split(' ', 1)[0] ?? ''}`,
      ),
      { warns: ['auth-scheme-case'] },
    ],
  'options-answered: OPTIONS returns 204 and the methods, for browsers.': onUndeclared(({ request, route }) =>
    request.method === 'OPTIONS' && route.kind === 'undeclared-method'
      ? empty(204, ['Allow', route.allowed.join(', ')])
      : null,
  ),
  'undeclared-method-404: An undeclared method returns 404.': onUndeclared((context) =>
    isUndeclared(context) ? context.behaviour.undeclared({ ...context, route: { kind: 'unknown' } }) : null,
  ),
  'undeclared-method-501: An undeclared method returns 501.': onUndeclared((context) =>
    isUndeclared(context)
      ? errorAnswer({ status: 501, code: 'not_implemented', message: 'no such method' })
      : null,
  ),
  'delete-answered: DELETE returns 204, as in a service with operations outside the interface.': onUndeclared(
    ({ request }) => (request.method === 'DELETE' && request.path.includes('/pets/') ? empty(204) : null),
  ),
  'anonymous-allowance: Requests without a key have their own limit of 1,000 in the headers.': onFigures(
    (figures, { caller }) =>
      caller.kind === 'unknown' ? { ...figures, limit: 1_000, remaining: figures.remaining + 940 } : figures,
  ),
  // A thousand is a minute of the plan Business as well.
  'anonymous-allowance-of-an-hour: Requests without a key have their own limit of 1,000 an hour.': onFigures(
    (figures, { caller, request }) =>
      caller.kind === 'unknown' ? { limit: 1_000, remaining: 900, resetAt: request.at + 3_000_000 } : figures,
  ),
  'anonymous-allowance-used-up: A 401 always says that nothing is left.': onFigures((figures, { caller }) =>
    caller.kind === 'unknown' ? { ...figures, limit: 0, remaining: 0 } : figures,
  ),
  [`anonymous-limited: Requests without a key are refused with 429 after ${STRANGERS} in a minute.`]: [
    limitingStrangers,
    { clouds: AUTHENTICATION },
  ],
  'several-challenges: A 401 offers two schemes and describes the error.': headed(withStatus(401), [
    'WWW-Authenticate',
    'Bearer realm="pets", error="invalid_token", Negotiate',
  ]),
  'method-before-key: An undeclared method is refused before the key is checked.': early((context) =>
    isUndeclared(context) ? context.behaviour.undeclared(context) : null,
  ),
  'after-removal: It is 2031, and the deprecated operation is gone.': [
    unchanged,
    { ...IN_2031, clouds: FETCHING },
  ],
  'after-removal-404: It is 2031, and every id is unknown.': [
    seams({ isRemoved: () => false, find: () => undefined }),
    { ...IN_2031, clouds: FETCHING },
  ],
});

/** One limit for all requests without a key, which refuses. */
function limitingStrangers(before: Behaviour): Behaviour {
  let limiter: Limiter | undefined;
  const limiterOf = ({ settings }: Context): Limiter =>
    (limiter ??= fixedWindow({ limit: STRANGERS, windowMs: settings.minuteSeconds * 1000 }));
  return {
    ...before,
    unauthorized: (context) => {
      const { request, behaviour } = context;
      const { admits, retryAt } = limiterOf(context).look(request.at);
      if (!admits) {
        const problem = { status: 429, code: 'rate_limited', message: 'too many requests without a key' };
        return withHeader(errorAnswer(problem), 'Retry-After', behaviour.retryAfter(retryAt, context) ?? '1');
      }
      limiterOf(context).take(request.at);
      return before.unauthorized(context);
    },
    rateHeaders: (figures, context) => {
      if (context.caller.kind === 'known') return before.rateHeaders(figures, context);
      const { remaining, resetAt } = limiterOf(context).look(context.request.at);
      return before.rateHeaders({ limit: STRANGERS, remaining, resetAt }, context);
    },
  };
}
