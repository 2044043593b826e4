import type { Behaviour } from './behaviour.js';
import { errorAnswer, type Incoming, RATE_HEADERS, type Route, withHeader } from './messages.js';
import {
  createPet,
  getPet,
  listPets,
  mediaTypeProblem,
  readBody,
  readId,
  readLimit,
  readStatus,
  rules,
} from './operations.js';
import { fixedWindow } from './limiter.js';
import { keyNames } from '../base/interface/names.js';

const [LIMIT, REMAINING, RESET] = RATE_HEADERS;

/** Part 4: `GET /pets/{petId}` is removed on this day. */
const REMOVAL = Date.UTC(2030, 11, 5);

/** Returns whole Unix seconds, rounded up, so a client that waits for them is never early. */
const unixSeconds = (atMs: number): number => Math.ceil(atMs / 1000);

/** Paths and methods of part 4, below the base path. */
function route({ method, path }: Incoming, basePath: string): Route {
  if (!path.startsWith(`${basePath}/pets`)) return { kind: 'unknown' };
  const [, petId] = /^(?:\/([^/]+))?$/.exec(path.slice(`${basePath}/pets`.length)) ?? [null, null];
  if (petId === null) return { kind: 'unknown' };
  if (petId !== undefined) {
    return method === 'GET'
      ? { kind: 'operation', operation: 'getPet', petId }
      : { kind: 'undeclared-method', allowed: ['GET'] };
  }
  if (method === 'GET') return { kind: 'operation', operation: 'listPets', petId: '' };
  if (method === 'POST') return { kind: 'operation', operation: 'createPet', petId: '' };
  return { kind: 'undeclared-method', allowed: ['GET', 'POST'] };
}

/** The whole interface, with every must and should. */
export const sound: Behaviour = {
  basePath: '/v1',
  isRemoved: (at) => at >= REMOVAL,
  clock: (now) => now,
  route,
  authenticate: ({ headers }, { keys }) => {
    const given = /^bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1];
    const key = keyNames.find((name) => keys[name] === given);
    return key === undefined ? { kind: 'unknown' } : { kind: 'known', key };
  },
  early: () => null,
  unauthorized: () =>
    withHeader(
      errorAnswer({ status: 401, code: 'unauthorized', message: 'a valid API key is required' }),
      'WWW-Authenticate',
      'Bearer realm="pets"',
    ),

  bucket: ({ key }) => key,
  allowance: (plan, { plans, minuteSeconds, daySeconds }) => ({
    minute: { limit: plans[plan].perMinute, windowMs: minuteSeconds * 1000 },
    day: { limit: plans[plan].perDay, windowMs: daySeconds * 1000 },
  }),
  minuteAlgorithm: fixedWindow,
  dayAlgorithm: fixedWindow,
  isLimited: () => true,
  cost: () => 1,
  ban: ({ banAfter, banSeconds }) => ({
    after: banAfter,
    counts: 'ignored waits',
    lengthMs: banSeconds * 1000,
    names: 'end',
    status: 429,
    whose: (bucket) => bucket,
  }),
  figures: (minute, day) => (day.admits ? minute : day),
  refuse: (context, admission) => {
    const { behaviour, settings } = context;
    return errorAnswer(
      admission.kind === 'banned'
        ? {
            status: behaviour.ban(settings)?.status ?? 429,
            code: 'key_banned',
            message: 'this key is banned for a while',
          }
        : { status: 429, code: 'rate_limited', message: 'the rate limit of this plan is used up' },
    );
  },
  retryAfter: (retryAt, { request }) => String(Math.max(1, Math.ceil((retryAt - request.at) / 1000))),
  rateHeaders: ({ limit, remaining, resetAt }) => [
    [LIMIT, String(limit)],
    [REMAINING, String(remaining)],
    [RESET, String(unixSeconds(resetAt))],
  ],

  work: () => 0,
  operations: { listPets, createPet, getPet },
  undeclared: (context) =>
    context.route.kind === 'undeclared-method'
      ? errorAnswer({
          status: 405,
          code: 'method_not_allowed',
          message: 'this path does not have that method',
          headers: [['Allow', context.route.allowed.join(', ')]],
        })
      : errorAnswer({ status: 404, code: 'not_found', message: 'there is no such path' }),

  readLimit,
  readStatus,
  visible: ({ store }) => store.all(),
  order: (animals) => animals,
  matches: (animal, status) => animal.status === status,
  select: (animals, { limit }, matches) => animals.filter(matches).slice(0, limit),
  renderListing: (animals) => animals,

  mediaTypeProblem,
  readBody,
  rules,
  creationProblem: () => undefined,
  idOf: (nth) => BigInt(nth),
  keep: (animal) => animal,

  readId,
  find: ({ store }, id) => store.find(id),

  renderAnimal: ({ id, name, categoryId, status }) => ({
    id,
    name,
    categoryId,
    ...(status === undefined ? {} : { status }),
  }),
  finish: (answer) => answer,
  transport: (wire) => wire,
};
