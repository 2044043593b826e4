import { checkShape } from '../../base/kernel/check-shape.js';
import { parseYaml, readText } from '../../base/kernel/yaml-source.js';
import { headerIn, pairsOf } from '../../wire/exchange/headers.js';
import type { Intervene } from '../../wire/proxy/passed.js';
import { readableElsewhere } from './cross-origin.js';
import { REFUSALS, type Refusals } from './refusals-shape.js';
import { answering, type Stepping } from './answer-steps.js';

const HINT = 'docs/quality-assurance.md shows such a file; config/schemas/refusals.schema.json describes it.';

/** Throws ConfigError with file and line. */
export function readRefusals(file: string): Refusals {
  const source = parseYaml(readText(file, HINT), file);
  return checkShape(source, source.toValue(), REFUSALS, HINT);
}

/** The other origin has to be there then. */
export const redirects = ({ steps }: Refusals): boolean => steps.some(({ kind }) => kind === 'redirect');

export function refusing(refusals: Refusals, stepping: Stepping): Intervene {
  const answer = answering(refusals, stepping);
  return async ({ method, target, headers }) => {
    const given = await answer({ method, target, headers: pairsOf(headers), body: null });
    // What the server allows a page of another origin, its own preflight has shown.
    const origin = headerIn(headers, 'origin') ?? undefined;
    return given && { ...given, headers: [...given.headers, ...readableElsewhere({ origin })] };
  };
}
