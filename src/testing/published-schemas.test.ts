import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonSchemaOf } from './json-schema.js';
import { publishedSchema } from './published-check.js';
import { PUBLISHED } from './published-schemas.js';

for (const [name, shape] of Object.entries(PUBLISHED))
  test(`the published schema of ${name} is that by which the kit reads (npm run schemas writes it)`, () =>
    assert.deepEqual(publishedSchema(name), jsonSchemaOf(shape)));
