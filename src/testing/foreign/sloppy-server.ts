import { createServer } from 'node:http';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import {
  ALLOWANCES,
  DEFAULTS,
  issueKeys,
  listen,
  type ForeignOptions,
  type ForeignServer,
} from './foreign-server.js';

/** Animal as this server stores it: roughly as sent. */
interface SloppyPet {
  readonly id: number;
  readonly name: unknown;
  readonly categoryId: number;
  readonly status: unknown;
}

const unprocessable: ErrorRequestHandler = (error, _request, response, next) =>
  response.headersSent ? next(error) : void response.status(422).json({ detail: String(error) });

/**
 * Starts the service as a first attempt has it. It works by hand and follows framework defaults. Bodies of a
 * 422 or 401 have only `detail`; a 401 has no challenge; a 404 is a page. It accepts strings and booleans as
 * numbers, keeps integers in doubles, and returns and accepts `null` as status. Its limiter comes after
 * authentication.
 */
export async function startSloppy(options: ForeignOptions = {}): Promise<ForeignServer> {
  const { animals, minuteSeconds } = { ...DEFAULTS, ...options };
  const { keys, planOf } = issueKeys();
  const statuses: readonly unknown[] = ['available', 'pending', 'sold'];
  const pets: SloppyPet[] = Array.from({ length: animals }, (_, at) => ({
    id: at + 1,
    name: `Pet ${at + 1}`,
    categoryId: 1,
    status: statuses[at % 3],
  }));

  const authenticate: RequestHandler = ({ headers }, response, next) => {
    const [scheme, key = ''] = (headers.authorization ?? '').split(' ');
    if (scheme === 'Bearer' && planOf.has(key)) return next();
    response.status(401).json({ detail: 'Not authenticated' });
  };
  const limiter = rateLimit({
    windowMs: minuteSeconds * 1000,
    keyGenerator: ({ headers }) => headers.authorization ?? '',
    limit: ({ headers }) =>
      ALLOWANCES[planOf.get(headers.authorization?.slice('Bearer '.length) ?? '') ?? 'free'].perMinute,
  });

  const app = express();
  app.use(authenticate, limiter, express.json(), unprocessable);
  app.get('/v1/pets', ({ query }, response) => {
    const limit = Number(query.limit ?? 20);
    if (!(limit >= 1 && limit <= 100)) return void response.status(422).json({ detail: 'limit' });
    response.json(pets.filter(({ status }) => !query.status || status === query.status).slice(0, limit));
  });
  app.post('/v1/pets', ({ body }: { body?: Partial<SloppyPet> }, response) => {
    const { name, status = null } = body ?? {};
    const categoryId = body?.categoryId === null ? NaN : Number(body?.categoryId);
    if (typeof name !== 'string' || Number.isNaN(categoryId))
      return void response.status(422).json({ detail: [{ loc: ['body'], msg: 'invalid' }] });
    if (status !== null && !statuses.includes(status))
      return void response
        .status(422)
        .json({ detail: [{ loc: ['body', 'status'], msg: 'unexpected value' }] });
    const pet = { id: pets.length + 1, name, categoryId: Math.trunc(categoryId), status };
    pets.push(pet);
    response.status(201).json(pet);
  });
  app.get('/v1/pets/:petId', ({ params }, response) => {
    const pet = pets.find(({ id }) => id === Number(params.petId));
    if (pet) response.json(pet);
    else response.status(404).send('<h1>Not Found</h1>');
  });
  return { keys, ...(await listen(createServer(app))) };
}
