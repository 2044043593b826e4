import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { stringify } from 'lossless-json';
import { createCatalogue, int64, isPetStatus, readNewPet } from './catalogue.js';
import {
  ALLOWANCES,
  ANONYMOUS,
  DEFAULTS,
  issueKeys,
  type ForeignOptions,
  type ForeignServer,
} from './foreign-server.js';

const json = (reply: FastifyReply, status: number, body: unknown): FastifyReply =>
  reply.code(status).type('application/json').send(stringify(body));

const error = (reply: FastifyReply, status: number, code: string, message: string): FastifyReply =>
  json(reply, status, { code, message, status });

const keyOf = ({ headers }: FastifyRequest): string => headers.authorization?.replace(/^bearer +/i, '') ?? '';

const isBearer = ({ headers }: FastifyRequest): boolean => /^bearer /i.test(headers.authorization ?? '');

/**
 * Starts the service on Fastify with @fastify/rate-limit as its README sets it up. The limiter knows keys and
 * plans; the rest is default, so Reset is in seconds to go. Its hooks run after authentication, so a 401
 * carries no rate headers. All else is written with care. The plugin has one window, so there is no daily
 * limit.
 */
export async function startFastify(options: ForeignOptions = {}): Promise<ForeignServer> {
  const { animals, minuteSeconds } = { ...DEFAULTS, ...options };
  const { keys, planOf } = issueKeys();
  const catalogue = createCatalogue(animals);

  const app = fastify();
  app.addHook('onRequest', async (request, reply) => {
    if (isBearer(request) && planOf.has(keyOf(request))) return undefined;
    return error(
      reply.header('WWW-Authenticate', 'Bearer'),
      401,
      'UNAUTHORIZED',
      'A valid API key is required.',
    );
  });
  await app.register(rateLimit, {
    timeWindow: minuteSeconds * 1000,
    keyGenerator: keyOf,
    max: (_request, key) => {
      const plan = planOf.get(key);
      return (plan ? ALLOWANCES[plan] : ANONYMOUS).perMinute;
    },
  });
  // As text: JSON.parse would lose digits of an int64.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
  app.setErrorHandler((thrown: { readonly statusCode?: number; readonly code?: string }, _request, reply) => {
    const status = thrown.statusCode ?? 500;
    return error(
      reply,
      status,
      thrown.code ?? `HTTP_${status}`,
      status < 500 ? 'Refused.' : 'Something went wrong.',
    );
  });
  app.setNotFoundHandler((_request, reply) => error(reply, 404, 'NOT_FOUND', 'There is nothing here.'));

  app.get<{ Querystring: { limit?: string; status?: string } }>('/v1/pets', (request, reply) => {
    const { limit = '20', status } = request.query;
    // An invalid limit or status counts as absent.
    const count = /^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 100 ? Number(limit) : 20;
    return json(reply, 200, catalogue.list(count, isPetStatus(status) ? status : undefined));
  });
  app.post<{ Body: string | undefined }>('/v1/pets', (request, reply) => {
    const reading = readNewPet(request.body);
    return reading.ok
      ? json(reply, 201, catalogue.add(reading.pet))
      : error(reply, 400, 'INVALID_PET', reading.problem);
  });
  app.get<{ Params: { petId: string } }>('/v1/pets/:petId', (request, reply) => {
    const id = int64(request.params.petId);
    const pet = id === undefined ? undefined : catalogue.find(id);
    return pet ? json(reply, 200, pet) : error(reply, 404, 'PET_NOT_FOUND', 'There is no such animal.');
  });

  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    baseUrl: `${origin}/v1`,
    keys,
    close: async () => {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}
