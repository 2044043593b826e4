import express from 'express';
import { createPetStore } from '../pet-store.js';

const send = (response, { status, body }) => void response.status(status).end(body);

/** Creates the pet store on Express. */
export function createServer(apiKey) {
  const store = createPetStore(apiKey);
  const app = express();
  // The limiter comes first, so that every response carries its headers, even a 401.
  app.use((request, response, next) => {
    const { headers, refusal } = store.admit(request.headers.authorization);
    response.set(headers);
    if (refusal) send(response, refusal);
    else next();
  });
  app.get('/v1/pets', (request, response) => send(response, store.list(request.query)));
  app.post('/v1/pets', express.text({ type: '*/*' }), (request, response) =>
    send(response, store.add(request.body)),
  );
  app.get('/v1/pets/:petId', (request, response) => send(response, store.find(request.params.petId)));
  return app;
}
