import type { Behaviour, Context } from '../behaviour.js';
import { chain, on, seams, type Test, withStatus } from '../changes/requests.js';
import { asText, bare, emptied, onAnswers, onFigures } from '../changes/answers.js';
import { type Answer, errorAnswer, type Incoming, invalid, refused, type Route, withHeader } from '../messages.js';
import { AUTHENTICATION, FETCHING, IN_2031, unchanged, variantsOf } from '../registry.js';
import { fixedWindow, type Limiter } from '../limiters/windows.js';

const isUndeclared = ({ route }: Context) => route.kind === 'undeclared-method';

const isMalformed: Test = ({ request }) => /\/pets\/[^/]*[^/\d-][^/]*$/.test(request.path);

/** Redirects to the path without its last slash. */
const redirected = ({ request }: Context): Answer | null =>
  request.path.endsWith('/')
    ? { status: 308, headers: [['Location', request.path.slice(0, -1)]], body: { kind: 'none' } }
    : null;

const asGet = (route: (request: Incoming, basePath: string) => Route, request: Incoming, basePath: string): Route =>
  route(request.method === 'HEAD' ? { ...request, method: 'GET' } : request, basePath);

/** Maximum requests without a key per minute, if they are limited. */
const STRANGERS = 30;

/** Freedom around the three operations. */
export const routingVariants = variantsOf('suites', {
  'deprecation-headers: The response to a fetch has Deprecation, Sunset and a Link to the replacement.': onAnswers(
    on('getPet'),
    (answer) =>
      withHeader(
        withHeader(withHeader(answer, 'Deprecation', '@1767225600'), 'Sunset', 'Thu, 05 Dec 2030 00:00:00 GMT'),
        'Link',
        '</v1/pets?status=available>; rel="successor-version"',
      ),
  ),
  'trailing-slash-redirected: A path with a final slash is redirected to the one without.': seams(({ undeclared }) => ({
    undeclared: (context) => redirected(context) ?? undeclared(context),
  })),
  'malformed-id-400: An id that is no integer is rejected with 400.': seams(({ readId }) => ({
    readId: (text) => (/^-?\d+$/.test(text) ? readId(text) : refused(invalid('the id must be an integer'))),
  })),
  'malformed-id-422: An id that is no integer is rejected with 422.': seams(({ readId }) => ({
    readId: (text) =>
      /^-?\d+$/.test(text)
        ? readId(text)
        : refused({ status: 422, code: 'invalid_id', message: 'the id must be an integer' }),
  })),
  'malformed-id-by-router: The router accepts only ids of digits; for others it returns its own page before any limit is counted.':
    chain(
      onAnswers(isMalformed, (answer) => ({ ...asText(answer, '<h1>Not Found</h1>', 'text/html'), status: 404 })),
      bare(isMalformed),
    ),
  'head-answered: HEAD returns the same as GET, without a body.': seams(({ route, finish }) => ({
    route: (request, basePath) => asGet(route, request, basePath),
    finish: (answer, context) =>
      context.request.method === 'HEAD' ? emptied(finish(answer, context)) : finish(answer, context),
  })),
  'options-answered: OPTIONS returns 204 and the methods, for browsers.': seams(({ undeclared }) => ({
    undeclared: (context) =>
      context.request.method === 'OPTIONS' && context.route.kind === 'undeclared-method'
        ? { status: 204, headers: [['Allow', context.route.allowed.join(', ')]], body: { kind: 'none' } }
        : undeclared(context),
  })),
  'undeclared-method-404: An undeclared method returns 404.': seams(({ undeclared }) => ({
    undeclared: (context) =>
      isUndeclared(context) ? undeclared({ ...context, route: { kind: 'unknown' } }) : undeclared(context),
  })),
  'undeclared-method-501: An undeclared method returns 501.': seams(({ undeclared }) => ({
    undeclared: (context) =>
      isUndeclared(context)
        ? errorAnswer({ status: 501, code: 'not_implemented', message: 'no such method' })
        : undeclared(context),
  })),
  'delete-answered: DELETE returns 204, as in a service with operations outside the interface.': seams(
    ({ undeclared }) => ({
      undeclared: (context) =>
        context.request.method === 'DELETE' && context.request.path.includes('/pets/')
          ? { status: 204, headers: [], body: { kind: 'none' } }
          : undeclared(context),
    }),
  ),
  'anonymous-allowance: Requests without a key have their own limit of 1,000 in the headers.': onFigures(
    (figures, { caller }) =>
      caller.kind === 'unknown' ? { ...figures, limit: 1_000, remaining: figures.remaining + 940 } : figures,
  ),
  'anonymous-allowance-used-up: A 401 always says that nothing is left.': onFigures((figures, { caller }) =>
    caller.kind === 'unknown' ? { ...figures, limit: 0, remaining: 0 } : figures,
  ),
  [`anonymous-limited: Requests without a key are refused with 429 after ${STRANGERS} in a minute.`]: [
    limitingStrangers,
    { clouds: AUTHENTICATION },
  ],
  'several-challenges: A 401 offers two schemes and describes the error.': onAnswers(withStatus(401), (answer) =>
    withHeader(answer, 'WWW-Authenticate', 'Bearer realm="pets", error="invalid_token", Negotiate'),
  ),
  'method-before-key: An undeclared method is refused before the key is checked.': seams(({ early }) => ({
    early: (context) => early(context) ?? (isUndeclared(context) ? context.behaviour.undeclared(context) : null),
  })),
  'after-removal: It is 2031, and the deprecated operation is gone.': [unchanged, { ...IN_2031, clouds: FETCHING }],
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
