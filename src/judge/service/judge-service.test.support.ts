import type { RequirementId } from '../../base/interface/types.js';
import type { Traffic } from '../../wire/exchange/client-exchange.js';
import { recordOf, sent as sentBy, START, type Given } from '../clients/traffic.test.support.js';
import { judgeService } from './judge-service.js';
import { rateHeadersWith } from '../../base/interface/rate-headers.js';

export const RATE: readonly (readonly [string, string])[] = [
  ['Date', new Date(START).toUTCString()],
  ...rateHeadersWith({ limit: 60, remaining: 59, reset: START / 1000 + 60 }),
];

export const JSON_HEADERS = [['Content-Type', 'application/json'], ...RATE] as const;

export const pet = (id: number, more: object = {}): object => ({
  id,
  name: `Rex ${id}`,
  categoryId: 1,
  status: 'available',
  ...more,
});

export const list = (...pets: readonly object[]): string => JSON.stringify(pets);

export const many = (count: number, more: object = {}): string =>
  list(...Array.from({ length: count }, (_, at) => pet(at + 1, more)));

export const error = (status: number): string => JSON.stringify({ code: 'x', message: 'y', status });

export const REX = JSON.stringify({ name: 'Rex', categoryId: 1 });

/** Returns an exchange with all headers that a sound service sends. */
export const sent = (given: Given) => sentBy({ headers: JSON_HEADERS, ...given });

export const NO_KEY: Given = { key: { kind: 'none' }, bearer: false };

export function keyless(given: Given) {
  const exchange = sent({ ...NO_KEY, ...given });
  const headers = exchange.request.headers.filter(([name]) => name !== 'Authorization');
  return { ...exchange, request: { ...exchange.request, headers } };
}

export const proxied = (...exchanges: Traffic['exchanges']): Traffic =>
  recordOf(exchanges, { source: 'proxy' });

export const har = (...exchanges: Traffic['exchanges']): Traffic => recordOf(exchanges, { source: 'har' });

export function rowsOf(record: Traffic, wanted: 'violated' | 'kept'): readonly RequirementId[] {
  return judgeService([record]).flatMap(({ kind, requirement }) => (kind === wanted ? [requirement] : []));
}

export const red = (record: Traffic): readonly RequirementId[] => rowsOf(record, 'violated');

export const spread = (
  count: number,
  remaining: (at: number) => number,
  gapMs: number,
): Traffic['exchanges'] =>
  Array.from({ length: count }, (_, at) =>
    sent({
      answer: list(pet(1)),
      at: [at * gapMs, at * gapMs + 1],
      headers: [
        ['Content-Type', 'application/json'],
        ['Date', new Date(START).toUTCString()],
        ...rateHeadersWith({ limit: 60, remaining: remaining(at), reset: START / 1000 + 60 }),
      ],
    }),
  );

export function at(time: string): NonNullable<Given['times']> {
  return { kind: 'server', readAt: Date.parse(time), writtenAt: Date.parse(time) };
}
