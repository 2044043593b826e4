import type { PetStatus } from '../../base/interface/contract.js';
import { listingIntent } from '../../drive/probes/specs.js';
import type { Exchange, Header } from '../../wire/exchange/types.js';
import { AT, exchangeOf, judging } from '../checks/exchange.test.support.js';
import type { Asked } from '../checks/judge-answer.js';
import { rateHeadersWith } from '../../base/interface/rate-headers.js';

/** One thing that happens to the store of these tests. */
export type Step =
  | { readonly do: 'list'; readonly limit?: number; readonly status?: PetStatus; readonly lagMs: number }
  | { readonly do: 'create'; readonly status: PetStatus; readonly lagMs?: number }
  | { readonly do: 'refused creation' }
  | { readonly do: 'fetch'; readonly nth: number; readonly lagMs: number }
  | { readonly do: 'others create'; readonly status: PetStatus }
  | { readonly do: 'wait'; readonly ms: number };

/** Steps that overlap; their responses come in the order of these turns. */
export interface Together {
  readonly steps: readonly Step[];
  readonly turns: readonly number[];
}

export interface Held {
  readonly id: bigint;
  readonly name: string;
  readonly category: number;
  readonly status: PetStatus;
  readonly bornAt: number;
  readonly own: boolean;
}

/** A response, and what its request asked for. */
export interface Answered {
  readonly exchange: Exchange;
  readonly asked: Asked;
  /** When the store read or changed its animals, Unix ms. */
  readonly doneAt: number;
}

/** Ways to answer wrongly; each has the sound answer as default. */
export interface Lies {
  /** Changes the animals of a listing. */
  readonly listed?: (
    animals: readonly Held[],
    asked: { readonly limit: number; readonly at: number },
  ) => readonly Held[];
  /** Changes the animal in the response to a creation. */
  readonly created?: (animal: Held, all: readonly Held[]) => Held;
  readonly fetched?: (animal: Held) => Held;
  /** Animals that a refused creation leaves. */
  readonly left?: (id: bigint, at: number) => readonly Held[];
  /** Further animals that a creation adds. */
  readonly doubled?: (animal: Held) => readonly Held[];
}

/** Start of the names of the run in these tests. */
export const PREFIX = 'conformance-0a1b2c3d';

export interface StoreOptions {
  /** First id; the next ones follow. */
  readonly firstId: bigint;
  readonly before: readonly PetStatus[];
  /** Length at which pages end; none by default. */
  readonly cap?: number;
  readonly lies?: Lies;
}

const jsonOf = ({ id, name, category, status }: Held): string =>
  `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${category},"status":"${status}"}`;

const headersAt = (ms: number): readonly Header[] => [
  ['Date', new Date(ms).toUTCString()],
  ...rateHeadersWith({ limit: 60, remaining: 30, reset: Math.floor(ms / 1000) + 60 }),
];

const errorText = (status: number): string => `{"code":"x","message":"x","status":${status}}`;

/** Plays steps against a store, and returns its responses in the order in which they come. */
export function play(
  groups: readonly Together[],
  { firstId, before, cap = Infinity, lies = {} }: StoreOptions,
) {
  let now = AT;
  let held: readonly Held[] = before.map((status, nth) => ({
    id: firstId + BigInt(nth),
    name: `Rex ${nth}`,
    category: 1 + (nth % 3),
    status,
    bornAt: -Infinity,
    own: false,
  }));
  /** Animals that some response showed: a run asks for no others. */
  const seen = new Set<bigint>();
  let fresh: bigint[] = [];
  let names = 0;
  const nextId = (): bigint => firstId + BigInt(held.length);

  const add = (status: PetStatus, own: boolean): Held => {
    names += 1;
    const name = own ? `${PREFIX} N${names}` : `Tom ${names}`;
    const animal: Held = { id: nextId(), name, category: 1, status, bornAt: now, own };
    held = [...held, animal];
    return animal;
  };

  function perform(step: Step, sentAt: number, answeredAt: number): readonly Answered[] {
    const given = { sentAt, headers: headersAt(now), latencyMs: answeredAt - sentAt };
    const answered = (exchange: Exchange, asked: Asked = {}): readonly Answered[] => [
      { exchange: { ...exchange, latencyMs: answeredAt - sentAt }, asked, doneAt: now },
    ];
    switch (step.do) {
      case 'wait':
        return [];
      case 'others create':
        add(step.status, false);
        return [];
      case 'list': {
        const { limit, status, lagMs } = step;
        const query = { ...(limit !== undefined && { limit: String(limit) }), ...(status && { status }) };
        const text = new URLSearchParams(query).toString();
        const path = `/v1/pets${text === '' ? '' : `?${text}`}`;
        const visible = held.filter((one) => one.bornAt + lagMs <= now && (!status || one.status === status));
        const asked = { limit: limit ?? 20, at: now };
        const page = visible.slice(0, Math.min(asked.limit, cap));
        fresh.push(...page.map(({ id }) => id));
        const shown = lies.listed?.(page, asked) ?? page;
        const intent = listingIntent(
          { ...(limit !== undefined && { limit }), ...(status && { status }) },
          judging.contract,
        );
        const probe = `GET ${path.slice('/v1'.length)}`;
        return answered(
          exchangeOf({ ...given, probe, path, intent, text: `[${shown.map(jsonOf).join(',')}]` }),
        );
      }
      case 'create': {
        const animal = add(step.status, true);
        fresh.push(animal.id);
        held = [...held, ...(lies.doubled?.(animal) ?? [])];
        const { name, category, status } = animal;
        const sent = { name, categoryId: String(category), status };
        return answered(
          exchangeOf({
            ...given,
            operation: 'createPet',
            probe: `POST /pets, ${name}`,
            status: 201,
            intent: { kind: 'expects', statuses: [201], chargedTo: 'create-ok' },
            body: `{"name":${JSON.stringify(name)},"categoryId":${category},"status":"${status}"}`,
            text: jsonOf(lies.created?.(animal, held.slice(0, -1)) ?? animal),
          }),
          { sent },
        );
      }
      case 'refused creation': {
        held = [...held, ...(lies.left?.(nextId(), now) ?? [])];
        names += 1;
        const row = 'create-missing-field';
        return answered(
          exchangeOf({
            ...given,
            operation: 'createPet',
            probe: `POST /pets, refused ${names}`,
            status: 400,
            intent: { kind: 'expects', statuses: [400], chargedTo: row },
            body: `{"name":"${PREFIX} refused ${names}"}`,
            text: errorText(400),
          }),
        );
      }
      case 'fetch': {
        const known = held.filter(({ id: one }) => seen.has(one));
        const animal = known[step.nth % Math.max(1, known.length)];
        if (!animal) return [];
        const id = animal.id.toString();
        const isThere = animal.bornAt + step.lagMs <= now;
        return answered(
          exchangeOf({
            ...given,
            operation: 'getPet',
            probe: `GET /pets/${id}`,
            path: `/v1/pets/${id}`,
            status: isThere ? 200 : 404,
            intent: { kind: 'expects', statuses: [200], chargedTo: 'get-ok' },
            text: isThere ? jsonOf(lies.fetched?.(animal) ?? animal) : errorText(404),
          }),
          { id },
        );
      }
    }
  }

  const answers = groups.flatMap(({ steps, turns }) => {
    const start = now;
    const end = start + 10 * steps.length;
    const all = steps.flatMap((step, nth) => {
      now = start + 2 * nth + 1;
      const isAlone = steps.length === 1;
      return perform(step, isAlone ? start : start + nth / 10, isAlone ? now + 1 : end - nth);
    });
    for (const id of fresh) seen.add(id);
    fresh = [];
    const waited = steps.reduce((sum, step) => sum + (step.do === 'wait' ? step.ms : 0), 0);
    now = end + 1 + waited;
    return all.toSorted((one, other) => (turns[all.indexOf(one)] ?? 0) - (turns[all.indexOf(other)] ?? 0));
  });
  return { answers, held };
}
