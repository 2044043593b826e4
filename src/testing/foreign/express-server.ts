import { createServer } from 'node:http';
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import { stringify } from 'lossless-json';
import { createCatalogue, int64, isPetStatus, readNewPet } from './catalogue.js';
import { expressLimits } from './express-limits.js';
import { DEFAULTS, issueKeys, listen, type ForeignOptions, type ForeignServer } from './foreign-server.js';

/** Part 4, "Page size". */
const PAGE = { min: 1, max: 100, default: 20 };

/** Error codes of this service, by status code. */
const CODES: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
};

/** Sends JSON with every digit of an int64. */
const sendJson = (response: Response, status: number, body: unknown): void =>
  void response.status(status).type('application/json').send(stringify(body));

const sendError = (response: Response, status: number, message: string): void =>
  sendJson(response, status, { code: CODES[status] ?? 'error', message, status });

/**
 * Starts the service on Express with express-rate-limit, written with care. The limiter comes first, so every
 * response carries its headers; then the key; then the work. A `limit` outside the page size is clamped.
 */
export async function startExpress(options: ForeignOptions = {}): Promise<ForeignServer> {
  const { animals, minuteSeconds, daySeconds } = { ...DEFAULTS, ...options };
  const { keys, planOf } = issueKeys();
  const catalogue = createCatalogue(animals);

  const keyOf = (request: Request): string | undefined => {
    const key = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    return key !== undefined && planOf.has(key) ? key : undefined;
  };
  const authenticate: RequestHandler = (request, response, next) => {
    if (keyOf(request) !== undefined) return next();
    response.set('WWW-Authenticate', 'Bearer realm="pets"');
    sendError(response, 401, 'The API key is missing or invalid.');
  };

  const app = express();
  app.disable('x-powered-by');
  app.use(
    ...expressLimits({
      keyOf,
      planOf,
      minuteSeconds,
      daySeconds,
      refuse: (response) => sendError(response, 429, 'The rate limit of your plan is exceeded.'),
    }),
    authenticate,
  );
  app
    .route('/v1/pets')
    .get((request, response) => {
      const { limit = String(PAGE.default), status } = request.query;
      if (typeof limit !== 'string' || !/^-?\d+$/.test(limit))
        return sendError(response, 400, 'limit must be an integer.');
      if (status !== undefined && !isPetStatus(status))
        return sendError(response, 400, 'status is not known.');
      sendJson(response, 200, catalogue.list(Math.min(PAGE.max, Math.max(PAGE.min, Number(limit))), status));
    })
    .post(express.text({ type: 'application/json' }), (request, response) => {
      // null means a request without a body.
      if (request.is('application/json') === false) return sendError(response, 415, 'The body must be JSON.');
      const reading = readNewPet(request.body as string | undefined);
      if (!reading.ok) return sendError(response, 400, reading.problem);
      sendJson(response, 201, catalogue.add(reading.pet));
    })
    .all((_request, response) => {
      response.set('Allow', 'GET, HEAD, POST');
      sendError(response, 405, 'This method is not supported here.');
    });
  app.get('/v1/pets/:petId', (request, response) => {
    const id = int64(request.params.petId);
    const pet = id === undefined ? undefined : catalogue.find(id);
    if (!pet) return sendError(response, 404, 'There is no such animal.');
    sendJson(response, 200, pet);
  });
  app.use((_request, response) => sendError(response, 404, 'There is nothing here.'));
  app.use(answerError);

  return { keys, ...(await listen(createServer(app))) };
}

/** Errors of body-parser and the router carry a status code; all others are this server's own fault. */
const answerError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) return next(error);
  const status =
    typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 500;
  sendError(response, status, status < 500 ? 'The request cannot be read.' : 'Something went wrong.');
};
