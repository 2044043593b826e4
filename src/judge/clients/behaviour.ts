import { statusOf, header } from '../../wire/exchange/headers.js';
import { keyName, type ClientExchange, type Traffic } from '../../wire/exchange/client-exchange.js';
import { counted, duration, grouped, listedUpTo } from '../../base/kernel/format.js';
import { addition, chainsOf, someOf, type Chain } from './backoff.js';
import { restsByKey } from './rests.js';
import { onceEach } from '../../base/kernel/once-each.js';

/** What a client does where no requirement binds it: an observation, never a verdict. */
export interface Behaviour {
  readonly subject: string;
  readonly value: string;
}

const MOST_VALUES = 3;

/**
 * Returns what a client behaves like, from all records. It is open whether a client retries, what it does at
 * 401 and 5xx, whether it repeats creations, and what it calls itself.
 */
export function behaviourOf(records: readonly Traffic[]): readonly Behaviour[] {
  // A record made elsewhere shows no wait but one that is plainly too short.
  const chains = records
    .filter(({ source }) => source !== 'har')
    .flatMap((record) => restsByKey(record).flatMap(chainsOf));
  // Of a client that is once too early, patience elsewhere is not what it does.
  const early = chains.filter(({ waits }) => waits.some(({ state }) => state === 'early'));
  const longest = (early.length > 0 ? early : chains).reduce<Chain | null>(
    (most, chain) => (most === null || chain.waits.length > most.waits.length ? chain : most),
    null,
  );
  const creations = chains.filter(({ refused }) => refused[0]?.exchange.request.method === 'POST');
  const agents = records.flatMap(({ exchanges }) =>
    exchanges.map(({ request }) => header(request.headers, 'user-agent') ?? 'none'),
  );
  return [
    ...(longest === null ? [] : [{ subject: 'After a 429', value: waitsOf(longest, records) }]),
    ...(creations.length === 0
      ? []
      : [
          {
            subject: 'Refused creations',
            value: creations.some(({ waits }) => waits.length > 0)
              ? 'sends them again'
              : 'does not send them again',
          },
        ]),
    ...again(records, 503, 'After a 503'),
    ...again(records, 401, 'After a 401'),
    ...values('User-Agent', agents),
    ...severalClients(records),
    ...values('Keys', records.flatMap(keysOf)),
  ];
}

/** Says how a request was repeated: “waits for Retry-After, then 60, 120 and 240 ms; 4 tries”. */
function waitsOf({ waits, refused }: Chain, records: readonly Traffic[]): string {
  const [first] = refused;
  if (waits.length === 0)
    // Of equal parallel requests nothing shows which one repeats the refused one. Another record is another run of the client.
    return records.some(
      ({ exchanges }) =>
        first && exchanges.includes(first.exchange) && exchanges.some((each) => isLater(each, first)),
    )
      ? 'sends equal requests later'
      : 'does not send the request again';
  const added = waits.map(addition);
  const tries = counted(waits.length + 1, 'try', 'tries');
  if (added.some((each) => each === null)) return `sends the request again; ${tries}`;
  const known = added.filter((each) => each !== null);
  const isPatient = known.every((each) => each > -2);
  const texts = someOf(known.map((each) => duration(Math.abs(each))));
  return isPatient
    ? `waits for Retry-After, then ${texts}; ${tries}`
    : `waits ${someOf(waits.map(({ waitedMs }) => duration(waitedMs)))} against Retry-After of ` +
        `${someOf(refused.slice(0, waits.length).map(({ restMs }) => duration(restMs ?? 0)))}; ${tries}`;
}

/** Says whether a request that got a status was sent again. */
function again(records: readonly Traffic[], status: number, subject: string): readonly Behaviour[] {
  const met = records.flatMap(({ exchanges }) =>
    exchanges.flatMap((each, at) =>
      statusOf(each) === status ? [(lastOf(exchanges).get(nameOf(each)) ?? at) > at] : [],
    ),
  );
  if (met.length === 0) return [];
  return [
    { subject, value: met.includes(true) ? 'sends the request again' : 'does not send the request again' },
  ];
}

/**
 * Says that one key came with several User-Agents in one record. All that uses one key is judged as one
 * client.
 */
function severalClients(records: readonly Traffic[]): readonly Behaviour[] {
  const most = Math.max(
    0,
    ...records.flatMap(({ exchanges }) =>
      [...grouped(exchanges, ({ credential }) => keyName(credential.key))].map(([key, all]) =>
        key === null ? 0 : new Set(all.map(({ request }) => header(request.headers, 'user-agent'))).size,
      ),
    ),
  );
  if (most < 2) return [];
  return [
    { subject: 'One key', value: `is used with ${most} User-Agents: perhaps several clients, judged as one` },
  ];
}

const isLater = (each: ClientExchange, { exchange, timing }: Chain['refused'][number]): boolean =>
  each !== exchange &&
  isEqual(each, exchange) &&
  each.times.kind === 'server' &&
  each.times.readAt > timing.earliestWritten;

const nameOf = ({ request: { method, target } }: ClientExchange): string => `${method} ${target}`;

const lastOf = onceEach(
  (exchanges: readonly ClientExchange[]): ReadonlyMap<string, number> =>
    new Map(exchanges.map((each, at) => [nameOf(each), at])),
);

const isEqual = (one: ClientExchange, other: ClientExchange): boolean => nameOf(one) === nameOf(other);

const keysOf = ({ exchanges }: Traffic): readonly string[] =>
  exchanges.flatMap(({ credential }) => keyName(credential.key) ?? []);

function values(subject: string, all: readonly string[]): readonly Behaviour[] {
  const distinct = [...new Set(all)];
  if (distinct.length === 0) return [];
  return [{ subject, value: listedUpTo(distinct, MOST_VALUES) }];
}
