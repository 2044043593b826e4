import { animalsIn, prerequisite } from '../../judge/checks/pets.js';
import { succeeded } from '../../judge/checks/status.js';
import type { NewPet, RequirementId } from '../../base/interface/types.js';
import { statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { ProbeContext } from './context.js';
import { nameFor, petBody } from './creation-bodies.js';
import type { createCreations, Creation } from './creations.js';
import { creating, expects, open } from './specs.js';
import { Unjudgeable } from './unjudgeable.js';

const UNKNOWN_MEMBERS = 'members that NewPet does not have';

/** Creates the probes that add an animal in a way that the interface leaves open. */
export function createOpenCreations(
  { courier, key, prefix, single, world, needWrites, affords }: ProbeContext,
  { category, created }: ReturnType<typeof createCreations>,
) {
  const odds = new Map<string, Creation>();

  const acceptedAs = (label: string): Creation | undefined =>
    [...odds.values()].find(({ exchange: { probe } }) => probe.endsWith(label));

  /**
   * Sends a creation that the interface leaves open: the control's body, changed.
   *
   * @param like label of another one, whose data it repeats if that was accepted, and else the control's: a
   *   store may return the earlier animal
   */
  async function odd(
    label: string,
    row: RequirementId,
    change: (body: string, control: Exchange) => string,
    { mediaType = 'application/json', like }: { readonly mediaType?: string; readonly like?: string } = {},
  ): Promise<Exchange> {
    needWrites(`“POST /pets, ${label}”`);
    const { exchange: control, reading, sent: plain } = await created();
    if (!succeeded(control) && !reading.ok) throw new Unjudgeable(prerequisite(reading.broken, control));
    const sent: NewPet =
      like === undefined
        ? { name: nameFor(prefix, label), categoryId: await category(), status: 'available' }
        : (acceptedAs(like)?.sent ?? plain);
    const exchange = await courier.ask(
      creating(label, change(petBody(sent), control), key, open(row), mediaType),
    );
    if (statusOf(exchange) === 201 && mediaType === 'application/json')
      odds.set(exchange.id, { sent, ...single(exchange) });
    return exchange;
  }

  return {
    odd,
    /** Sends a creation of 64 KiB: blanks between tokens change only the size (RFC 8259 section 2). */
    ofLargeSize: (): Promise<Exchange> =>
      odd(
        'a body of 64 KiB',
        'create-body-size',
        (body) => body.replace('{', `{${' '.repeat(65_536 - body.length)}`),
        {
          like: UNKNOWN_MEMBERS,
        },
      ),
    /**
     * Sends a creation with members that NewPet does not have: one that no service knows, and the id of an
     * animal that the run created. The service assigns the id (part 2, Pet), so this one must not become the
     * new animal's.
     */
    withUnknownMembers: (name: string): Promise<Exchange> =>
      odd(UNKNOWN_MEMBERS, 'create-unknown-member', (body, control) => {
        const [own] = animalsIn(control);
        const id = own?.id ?? null;
        return body.replace(/}$/, `,${JSON.stringify(name)}:true${id === null ? '' : `,"id":${id}`}}`);
      }),
    /**
     * Sends a valid creation with the data of an animal that the run created: only ids are unique (part 2,
     * Pet). Null if none was created, or if the limit leaves no request for it.
     */
    createdAlike: async (): Promise<Exchange | null> => {
      const { exchange: control, sent } = await created();
      if (statusOf(control) !== 201 || !affords(1)) return null;
      const like = acceptedAs(UNKNOWN_MEMBERS)?.sent ?? sent;
      // Whether a store refuses data that it calls invalid is its own affair.
      const intent = expects('create-ok', 201, 400);
      const exchange = await courier.ask(
        creating('a valid animal like an earlier one', petBody(like), key, intent),
      );
      if (statusOf(exchange) === 201) odds.set(exchange.id, { sent: like, ...single(exchange) });
      return exchange;
    },
    sentKnownId: (): boolean =>
      world().creations.some(
        ({ probe, request }) => probe.endsWith(UNKNOWN_MEMBERS) && request.body?.includes('"id":') === true,
      ),
    /** Accepted creations that the interface leaves open, sent as JSON. */
    oddCreations: (): readonly Creation[] => [...odds.values()],
  };
}
