import type { KeyName } from '../../base/interface/names.js';
import { checkShape } from '../../base/kernel/check-shape.js';
import { parseYaml, readText } from '../../base/kernel/yaml-source.js';
import { now } from '../../wire/exchange/connection.js';
import { headerIn, pairsOf } from '../../wire/exchange/headers.js';
import type { credentialReader } from '../../wire/exchange/request-credential.js';
import { parseRequestTarget } from '../../wire/exchange/request-target.js';
import type { Intervene } from '../../wire/proxy/passed.js';
import { readableElsewhere } from './cross-origin.js';
import { REFUSALS, type Weather } from './weather.js';
import { answerOf } from './steps.js';
import { takingSteps } from './taking-steps.js';

const HINT = 'docs/quality-assurance.md shows such a file; config/schemas/refusals.schema.json describes it.';

/** Reads a file of refusals. Throws ConfigError with file and line. */
export function readRefusals(file: string): Weather {
  const source = parseYaml(readText(file, HINT), file);
  return checkShape(source, source.toValue(), REFUSALS, HINT);
}

/** Returns whether steps redirect a client to another origin, which has to be there. */
export const redirects = ({ steps }: Weather): boolean => steps.some(({ kind }) => kind === 'redirect');

/**
 * Returns what the proxy answers in the server's place: each key goes through the steps by itself, as at the reference server.
 * Only requests to declared operations with a key of the target take steps.
 * @param elsewhere the other origin that redirects lead to; null without one
 */
export function refusing(
  weather: Weather,
  reader: ReturnType<typeof credentialReader>,
  basePath: string,
  elsewhere: string | null,
): Intervene {
  const byKey = new Map<KeyName, ReturnType<typeof takingSteps>>();
  return async ({ method, target, headers }) => {
    const { key, bearer } = reader.credentialOf({ method, target, headers: pairsOf(headers), body: null });
    const { operation } = parseRequestTarget({ method, target }, basePath);
    if (key.kind !== 'plan' || !bearer || operation === null) return null;
    const next = byKey.get(key.plan) ?? takingSteps(weather, now);
    byKey.set(key.plan, next);
    const step = await next(operation);
    if (step === null) return null;
    const given = answerOf(step, now(), `${elsewhere ?? ''}${target}`);
    // What the server allows a page of another origin, its own preflight has shown.
    const origin = headerIn(headers, 'origin') ?? undefined;
    return { ...given, headers: [...given.headers, ...readableElsewhere({ origin })] };
  };
}
