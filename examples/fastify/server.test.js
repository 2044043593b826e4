import { test } from 'node:test';
import { certify } from 'petstore-conformance';
import { createServer } from './server.js';

test('the pet store on Fastify is the one that its interface describes', async () => {
  const apiKey = 'a-key-of-this-test';
  await certify(createServer(apiKey), { keys: { business: apiKey } });
});
