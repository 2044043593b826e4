import type { Exchange, Intent } from '../../wire/exchange/types.js';
import { statusOf } from '../../wire/exchange/headers.js';
import type { ProbeContext } from './context.js';
import { nameFor, type Mutation } from './creation-bodies.js';
import type { createCreations } from './creations.js';
import { identityName, type Identity } from './credentials.js';
import type { createLeftovers } from './leftovers.js';
import { creating, expects, isNewest } from './specs.js';

export function createRefusedCreations(
  { courier, key, prefix, world, needWrites }: ProbeContext,
  { beforeRefusals }: ReturnType<typeof createLeftovers>,
  { category, created }: ReturnType<typeof createCreations>,
) {
  return {
    /** Sends a creation to be refused; returns it with the control, which differs in one thing. */
    refused: async ({
      label,
      row,
      body,
    }: Mutation): Promise<{ readonly exchange: Exchange; readonly control: Exchange }> => {
      needWrites(`“POST /pets, ${label}”`);
      const control = await created();
      const text = body({ ...control.sent, name: nameFor(prefix, label) });
      await beforeRefusals();
      return {
        exchange: await courier.ask(creating(label, text, key, expects(row, 400))),
        control: control.exchange,
      };
    },
    /** Sends an invalid creation under an identity that must be refused first. */
    refusedAs: async (
      { label, body }: Mutation,
      identity: Identity,
      intent: Intent,
      { again = false }: { readonly again?: boolean } = {},
    ): Promise<Exchange> => {
      needWrites(`“POST /pets, ${label}”`);
      const text = body({
        name: nameFor(prefix, `${label}${identityName(identity)}`),
        categoryId: await category(),
        status: 'available',
      });
      const spec = creating(label, text, identity, intent);
      return again ? courier.askAgain(spec) : courier.ask(spec);
    },
    /** Refused creations with the run's key, except those that a retry after 429, 502, 503 or 504 resolved. */
    refusals: (): readonly Exchange[] =>
      world().creations.filter(
        (exchange) =>
          exchange.credential.kind === 'valid' &&
          (statusOf(exchange) ?? 0) >= 400 &&
          isNewest(exchange, courier.exchanges()),
      ),
    /** Creations under another identity, with any result. */
    creationsAs: (identity: Identity): readonly Exchange[] =>
      world().creations.filter(({ probe }) => probe.endsWith(identityName(identity))),
  };
}
