import { Hono } from 'hono';
import { createPetStore } from '../pet-store.js';

const send = (context, { status, body }) => context.body(body, status);

/** Creates the pet store on Hono. */
export function createServer(apiKey) {
  const store = createPetStore(apiKey);
  const app = new Hono();
  // The limiter comes first, so that every response carries its headers, even a 401.
  app.use(async (context, next) => {
    const { headers, refusal } = store.admit(context.req.header('Authorization'));
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    return refusal ? send(context, refusal) : next();
  });
  app.get('/v1/pets', (context) => send(context, store.list(context.req.query())));
  app.post('/v1/pets', async (context) => send(context, store.add(await context.req.text())));
  app.get('/v1/pets/:petId', (context) => send(context, store.find(context.req.param('petId'))));
  return app;
}
