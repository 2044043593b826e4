import type { Exchange, Header } from '../../wire/exchange/types.js';
import type { Judgement } from '../findings/finding.js';
import { judging as loadJudging } from './judging.js';
import type { Judging } from './layers.js';
import type { Page } from './listing.js';
import { readPet, readPets, type Single } from './pets.js';
import { rateHeadersWith } from '../../base/interface/rate-headers.js';

export const judging: Judging = loadJudging();

/** Server's and kit's time in these tests, Unix ms. */
export const AT = Date.parse('2026-11-20T10:00:00Z');

/** Consistent rate headers and Date. */
export const SOUND_HEADERS: readonly Header[] = [
  ['Date', new Date(AT).toUTCString()],
  ...rateHeadersWith({ limit: 60, remaining: 59, reset: AT / 1000 + 60 }),
];

interface Given {
  readonly id?: string;
  readonly probe?: string;
  readonly operation?: Exchange['operation'];
  readonly intent?: Exchange['intent'];
  readonly credential?: Exchange['credential'];
  readonly body?: string | null;
  readonly path?: string;
  readonly sentAt?: number;
  readonly status?: number;
  readonly headers?: readonly Header[];
  readonly text?: string;
  readonly type?: string | null;
  readonly notUtf8?: true;
  readonly marked?: true;
  readonly miscoded?: true;
  readonly none?: Extract<Exchange['answer'], { kind: 'none' }>['code'];
}

let made = 0;

/** Makes an exchange: by default a plain listing with an empty array as response. */
export function exchangeOf({
  id = `x${(made += 1)}`,
  operation = 'listPets',
  probe = `${operation ?? 'PATCH'} ${id}`,
  intent = { kind: 'expects', statuses: [200], chargedTo: 'list-ok' },
  credential = { kind: 'valid', plan: 'free' },
  body = null,
  path = '/v1/pets',
  sentAt = AT,
  status = 200,
  headers = SOUND_HEADERS,
  text = '[]',
  type = 'application/json',
  notUtf8,
  marked,
  miscoded,
  none,
}: Given = {}): Exchange {
  const typed: readonly Header[] = type === null ? headers : [...headers, ['Content-Type', type]];
  return {
    id,
    probe,
    operation,
    intent,
    credential,
    request: { method: operation === 'createPet' ? 'POST' : 'GET', path, headers: [], body },
    sentAt,
    latencyMs: 5,
    attempts: 1,
    answer: none
      ? { kind: 'none', code: none, message: 'as told' }
      : {
          kind: 'response',
          status,
          headers: typed,
          text,
          ...(notUtf8 && { notUtf8 }),
          ...(marked && { marked }),
          ...(miscoded && { miscoded }),
        },
  };
}

export const pageOf = (text: string, given: Given = {}): Page => {
  const exchange = exchangeOf({ text, ...given });
  return { exchange, reading: readPets(exchange, judging) };
};

export const createdOf = (text: string, given: Given = {}): Single => {
  const exchange = exchangeOf({
    operation: 'createPet',
    intent: { kind: 'expects', statuses: [201], chargedTo: 'create-ok' },
    status: 201,
    text,
    ...given,
  });
  return { exchange, reading: readPet(exchange, judging) };
};

export const pet = (id: number | bigint | string, members: string = '"status":"available"'): string =>
  `{"id":${id},"name":"Rex ${id}","categoryId":1${members === '' ? '' : `,${members}`}}`;

export const list = (...pets: readonly string[]): string => `[${pets.join(',')}]`;

/** Returns the kind of a judgement, with the code of its reason. */
export const kindOf = (judgement: Judgement): string =>
  'reason' in judgement ? `${judgement.kind}: ${judgement.reason.code}` : judgement.kind;
