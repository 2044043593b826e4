import { EMBEDDED } from '../wire/targets/load-target.js';
import { TARGET_VARIABLE } from '../drive/suite/variables.js';
import { namedKeys } from '../wire/targets/keys.js';
import { startEmbedded } from './embedded.js';

// Playwright requires a default export for a global setup.
/**
 * Starts an embedded server for suites that are started without `run` and without a target. It ends with
 * them.
 */
// oxlint-disable-next-line import/no-default-export
export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  const named = process.env[TARGET_VARIABLE];
  if (named !== undefined && named !== '' && named !== EMBEDDED) return undefined;
  const embedded = await startEmbedded(process.env, { underLoad: false });
  const { target } = embedded;
  process.env[TARGET_VARIABLE] = EMBEDDED;
  process.env['PETSTORE_EMBEDDED_URL'] = target.baseUrl;
  for (const [plan, key] of namedKeys(target))
    process.env[`PETSTORE_EMBEDDED_${plan.toUpperCase()}_KEY`] = key.reveal();
  process.stdout.write(
    `${TARGET_VARIABLE} is not set, so the run judges the embedded server. ` +
      'Set it to a target file or a target name to judge another.\n',
  );
  return async () => embedded[Symbol.asyncDispose]();
}
