import fastify from 'fastify';
import { createPetStore } from '../pet-store.js';

const send = (reply, { status, body }) => reply.code(status).send(body);

/** Creates the pet store on Fastify. */
export function createServer(apiKey) {
  const store = createPetStore(apiKey);
  const app = fastify();
  // The limiter comes first, so that every response carries its headers, even a 401.
  app.addHook('onRequest', async (request, reply) => {
    const { headers, refusal } = store.admit(request.headers.authorization);
    reply.headers(headers);
    return refusal ? send(reply, refusal) : undefined;
  });
  // The store parses the text itself; Fastify's own parser returns another Error.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.get('/v1/pets', async (request, reply) => send(reply, store.list(request.query)));
  app.post('/v1/pets', async (request, reply) => send(reply, store.add(request.body)));
  app.get('/v1/pets/:petId', async (request, reply) => send(reply, store.find(request.params.petId)));
  return app;
}
