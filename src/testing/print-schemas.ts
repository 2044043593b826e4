import { writeFileSync } from 'node:fs';
import { configPath } from '../base/kernel/config-file.js';
import { jsonSchemaOf } from './json-schema.js';
import { PUBLISHED } from './published-schemas.js';

/**
 * Writes the published JSON Schemas, so that other programs read what the kit reads. `npm run schemas` also
 * formats them.
 */
for (const [name, shape] of Object.entries(PUBLISHED))
  writeFileSync(configPath('schemas', `${name}.schema.json`), JSON.stringify(jsonSchemaOf(shape)));
