import type { ClientRow } from '../../base/interface/requirement-ids.js';
import { isOfClient } from '../../outcome/words/client-rows.js';
import { addition, chainsOf } from '../../judge/clients/backoff.js';
import type { HeldRequest } from '../../judge/clients/held-request.js';
import { restsByKey } from '../../judge/clients/rests.js';
import { shortfall } from '../../judge/clients/waiting.js';
import { type Traffic } from '../../wire/exchange/client-exchange.js';
import { answerHeader, header } from '../../wire/exchange/headers.js';
import { duration, sumAll } from '../../base/kernel/format.js';
import type { RequirementResult } from '../../outcome/results/results.js';
import type { LikelyCause } from './likely-cause.js';
import { settingFor } from './client-settings.js';

type Rows = readonly Pick<RequirementResult, 'id' | 'outcome'>[];

const isRed = ({ outcome }: Rows[number]): boolean => outcome === 'failed' || outcome === 'warned';

/** Returns the mistakes that clients commonly make, as far as their waits and digits show them; else none. */
export function clientCauses(rows: Rows, records: readonly Traffic[]): readonly LikelyCause[] {
  const red = new Set(rows.filter(isRed).map(({ id }) => id));
  const waiting = (['client-waits', 'client-does-not-hammer'] as const).filter((row) => red.has(row));
  const ofWaits = waiting.length > 0 ? causeOfWaits(records) : null;
  return [
    ...(ofWaits === null ? [] : [{ ...ofWaits, rows: waiting }]),
    ...(red.has('client-int64') ? [{ ...DOUBLES, rows: ['client-int64'] as const }] : []),
  ];
}

type Mistake = Pick<LikelyCause, 'name' | 'title'>;

const DOUBLES: Mistake = { name: 'numbers-as-doubles', title: 'It reads JSON numbers into doubles.' };

/** A client that waits less has not waited, ms: a fast machine needs some to send again. */
const AT_ONCE_MS = 100;
/** Waits of a schedule differ by this share from the doubled one before, and equal ones from each other. */
const ALIKE = 0.2;
/** Most that rounding a wait down takes from it, ms. */
const ROUNDED_MS = 1000;

function causeOfWaits(records: readonly Traffic[]): Mistake | null {
  const rests = records.flatMap((record) => restsByKey(record));
  const held = rests.flatMap((each) => each.held);
  const early = held.filter(({ state }) => state === 'early');
  const keptSeconds = held.some((each) => each.state === 'kept' && each.repeats && !hasDate(each));
  if (early.length === 0) return null;
  if (early.every(hasDate) && keptSeconds)
    return {
      name: 'retry-after-date-unread',
      title: 'It reads Retry-After as seconds only, and not as a date.',
    };
  if (early.every(({ repeats }) => !repeats))
    return {
      name: 'only-the-request-waits',
      title:
        'Other requests with the same key go on while the refused one rests: let the key rest, not the request.',
    };
  // Other requests of the key come when the program gets to them.
  const repeats = early.filter((each) => each.repeats);
  if (repeats.every(({ waitedMs }) => waitedMs <= AT_ONCE_MS))
    return {
      name: 'sends-again-at-once',
      title: 'It sends again immediately, and does not read Retry-After.',
    };
  const waits = longestOf(rests.flatMap(chainsOf).map((chain) => chain.waits.map(waited)));
  const figures = waits.slice(0, 3).map(duration).join(', ');
  const shares = repeats.map(({ waitedMs, against }) => waitedMs / (against.restMs ?? Infinity));
  const [share = 0] = shares;
  if (hasTwoLengths(repeats) && shares.every((each) => each > 0 && isAlike(each, share)))
    return {
      name: 'retry-after-cut',
      title: `It waits only a part of Retry-After: about ${Math.round((sumAll(shares) / shares.length) * 100)} %.`,
    };
  // A wait that is too short elsewhere must be of the same schedule.
  const isOfSchedule = repeats.every(({ waitedMs }) => waits.some((wait) => isAlike(wait, waitedMs)));
  if (waits.length > 1 && isOfSchedule && pairsOf(waits).every(([one, next]) => isAlike(next, 2 * one)))
    return {
      name: 'waits-by-its-own-schedule',
      title: `It waits by its own schedule (${figures}), and does not read Retry-After.`,
    };
  if (waits.length > 1 && isOfSchedule && pairsOf(waits).every(([one, next]) => isAlike(next, one)))
    return {
      name: 'waits-a-fixed-time',
      title: `It waits the same time each time (${figures}), and does not read Retry-After.`,
    };
  return early.every(isPart)
    ? { name: 'retry-after-cut', title: 'It rounds Retry-After down, or waits only a part of it.' }
    : null;
}

/** Returns whether refusals asked for clearly different times: else a fixed time is a fixed part as well. */
const hasTwoLengths = (all: readonly HeldRequest[]): boolean => {
  const asked = all.flatMap(({ against }) => against.restMs ?? []);
  return asked.length > 1 && !isAlike(Math.min(...asked), Math.max(...asked));
};

/** Returns whether a wait lacks what rounding takes, or a part. */
const isPart = (each: HeldRequest): boolean =>
  shortfall(each) <= ROUNDED_MS && each.waitedMs >= (each.against.restMs ?? 0) / 2;

const hasDate = ({ against }: HeldRequest): boolean =>
  !/^\s*\d+\s*$/.test(answerHeader(against.exchange, 'retry-after') ?? '');

/** Time from a refusal to the next try, ms. */
const waited = (each: HeldRequest): number => (addition(each) ?? 0) + (each.against.restMs ?? 0);

const longestOf = (all: readonly (readonly number[])[]): readonly number[] =>
  all.reduce((longest, each) => (each.length > longest.length ? each : longest), []);

const pairsOf = (values: readonly number[]): readonly (readonly [number, number])[] =>
  values.slice(1).map((next, at) => [values[at] ?? next, next] as const);

const isAlike = (one: number, other: number): boolean =>
  Math.abs(one - other) <= ALIKE * Math.max(one, other);

/** How to keep a requirement, in a line of code or a sentence. */
const HOW: Readonly<Partial<Record<ClientRow, string>>> = {
  'client-waits':
    'Retry-After holds whole seconds or a date. In JavaScript: ' +
    'wait = /^\\d+$/.test(after) ? after * 1000 : Date.parse(after) - Date.now().',
  'client-does-not-hammer':
    'Send nothing with the key until Retry-After is over, also from other parts of the program.',
  'client-backoff': 'Add a time to Retry-After that grows with each refusal: 100, 200, 400 ms and so on.',
  'client-int64':
    'Read whole numbers beyond 2^53 as text or as big integers: JSON.parse and other readers of doubles change their digits.',
};

/**
 * Returns how to fix a client's row: one or two lines, with the setting of the library that its User-Agent
 * names.
 */
export function adviceFor({ id, outcome }: Rows[number], agents: readonly string[]): readonly string[] {
  if (!isOfClient(id) || !isRed({ id, outcome })) return [];
  const settings = agents.flatMap((agent) => settingFor(agent, id) ?? []);
  return [...(HOW[id] === undefined ? [] : [HOW[id]]), ...new Set(settings)].slice(0, 2);
}

export const agentsOf = (records: readonly Traffic[]): readonly string[] => [
  ...new Set(
    records.flatMap(({ exchanges }) =>
      exchanges.flatMap(({ request }) => header(request.headers, 'user-agent') ?? []),
    ),
  ),
];
