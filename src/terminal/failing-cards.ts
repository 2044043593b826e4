import type { RequirementResult, Results } from '../verdict/results.js';
import { paint } from './lines.js';
import { lookOf } from './look.js';
import { partLines } from './part-lines.js';

/** Formats rows that prevent the verdict conformant, without colour. */
export function failingCards(results: Results): readonly string[] {
  const look = { ...lookOf(process.stderr, process.env, false), colour: false, lines: Infinity };
  const { requirements, exchanges, target } = results;
  const evidence = {
    exchanges: new Map(exchanges.map((exchange) => [exchange.id, exchange])),
    source: { baseUrl: target.baseUrl },
  };
  const parts = [...new Set(requirements.filter(isBad).map(({ part }) => part))];
  return parts
    .flatMap((part) => partLines(part, requirements, evidence, look))
    .map((line) => paint(line, look).trimEnd());
}

const isBad = ({ level, outcome }: RequirementResult): boolean =>
  outcome === 'failed' || outcome === 'error' || (level === 'must' && outcome === 'inconclusive');
