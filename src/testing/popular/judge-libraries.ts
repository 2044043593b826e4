import { randomBytes } from 'node:crypto';
import pLimit from 'p-limit';
import type { ClientScenario } from '../../base/interface/names.js';
import { play } from '../../drive/client-scenarios/play.js';
import { scenarioOf } from '../../drive/client-scenarios/scenarios.js';
import { chainsOf, addition } from '../../judge/clients/backoff.js';
import { judgeClient } from '../../judge/clients/judge-client.js';
import { restsByKey } from '../../judge/clients/rests.js';
import type { ClientRow } from '../../base/interface/requirement-ids.js';
import type { ClientExchange, Traffic } from '../../wire/exchange/client-exchange.js';
import type { Library } from './libraries.js';

/** How one library behaves: the cells of its line in the table, and the rows that it breaks. */
export interface Behaves {
  readonly library: Library;
  readonly cells: readonly string[];
  readonly red: readonly ClientRow[];
}

/** Columns of the table. */
export const COLUMNS = [
  'waits for seconds',
  'waits for a date',
  'sends creations again',
  'tries at most',
  'wait grows',
  'key on a redirect',
  'keeps digits',
] as const;

const SCENARIOS = [
  'limited',
  'limited-by-date',
  'limited-creation',
  'limited-again',
  'redirected',
  'large-ids',
] as const satisfies readonly ClientScenario[];
type Played = (typeof SCENARIOS)[number];

/** Runs at the same time. They mostly wait. */
const AT_ONCE = 12;

/** Runs each library through the scenarios, over real sockets. */
export async function judgeLibraries(libraries: readonly Library[]): Promise<readonly Behaves[]> {
  const limit = pLimit(AT_ONCE);
  return Promise.all(
    libraries.map(async (library) => {
      const records = await Promise.all(
        SCENARIOS.map((name) => limit(async () => [name, await recordOf(library, name)] as const)),
      );
      return behaviourFrom(library, Object.fromEntries(records) as Record<Played, Traffic>);
    }),
  );
}

/** Longest time of one library in a scenario, ms. */
const MOST_MS = 60_000;

async function recordOf({ send }: Library, name: Played): Promise<Traffic> {
  const key = `pk${randomBytes(16).toString('hex')}`;
  const exchanges: ClientExchange[] = [];
  await using stage = await play(scenarioOf(name), {
    key,
    nextId: () => `t${exchanges.length + 1}`,
    onExchange: (exchange) => void exchanges.push(exchange),
  });
  const url = `${stage.baseUrl}/pets`;
  const work = async (): Promise<void> => {
    if (name === 'limited-creation') await send({ url, key, animal: { name: 'Rex', categoryId: 1 } });
    else {
      const pets = await send({ url: `${url}?limit=5`, key });
      const [pet] = pets as readonly { readonly categoryId: unknown }[];
      if (name === 'large-ids')
        await send({ url, key, animal: { name: 'Rex', categoryId: pet?.categoryId } });
    }
  };
  let timer: NodeJS.Timeout | undefined;
  // What a library throws is its own matter.
  const finished = await Promise.race([
    work().then(
      () => true,
      () => true,
    ),
    new Promise<boolean>((done) => {
      timer = setTimeout(() => done(false), MOST_MS);
    }),
  ]);
  clearTimeout(timer);
  return { ...stage.facts, exchanges, end: await stage.end(finished) };
}

function behaviourFrom(library: Library, records: Readonly<Record<Played, Traffic>>): Behaves {
  const findings = judgeClient(Object.values(records));
  const red = [
    ...new Set(
      findings.filter(({ kind }) => kind === 'violated').map(({ requirement }) => requirement as ClientRow),
    ),
  ];
  const chain = chainOf(records['limited-again']);
  const creations = chainOf(records['limited-creation']);
  return {
    library,
    red,
    cells: [
      waitsIn(records.limited),
      waitsIn(records['limited-by-date']),
      (creations?.waits.length ?? 0) > 0 ? 'yes' : 'no',
      String((chain?.waits.length ?? 0) + 1),
      growth(records['limited-again']),
      redirect(records.redirected),
      digits(records['large-ids']),
    ],
  };
}

const chainOf = (record: Traffic) =>
  restsByKey(record)
    .flatMap(chainsOf)
    .toSorted((one, other) => other.waits.length - one.waits.length)[0];

/** “yes”, “no” for a request that came too early, “–” for none. */
function waitsIn(record: Traffic): string {
  const waits = chainOf(record)?.waits ?? [];
  if (waits.length === 0) return 'does not try again';
  return waits.some(({ state }) => state === 'early') ? '**no**' : 'yes';
}

/** Least by which a wait grows, ms: less may be a stall of this machine, and those that grow do so by seconds. */
const GROWN_MS = 1000;

function growth(record: Traffic): string {
  // A wait that is shorter than Retry-After adds nothing to it.
  const added = (chainOf(record)?.waits ?? []).filter(({ state }) => state !== 'early').map(addition);
  const [first, last] = [added[0], added.at(-1)];
  if (added.length < 2 || typeof first !== 'number' || typeof last !== 'number') return '–';
  return last - first > GROWN_MS ? 'yes' : 'no';
}

function redirect({ exchanges }: Traffic): string {
  const elsewhere = exchanges.filter(({ origin }) => origin !== undefined);
  if (elsewhere.length === 0) return 'is not followed';
  return elsewhere.some(({ credential: { key } }) => key.kind === 'plan') ? '**goes along**' : 'stays';
}

function digits(record: Traffic): string {
  const kinds = judgeClient([record], ['client-int64']).map(({ kind }) => kind);
  return kinds.includes('violated') ? '**no**' : kinds.includes('kept') ? 'yes' : '–';
}
