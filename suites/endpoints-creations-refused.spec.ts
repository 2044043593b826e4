import {
  blocked,
  kept,
  outOfScope,
  unestablished,
  untried,
  type Judgement,
} from '../src/judge/findings/finding.js';
import {
  addsNone,
  isNamedIn,
  isSignificant,
  leftNothing,
  leftSomething,
  newcomers,
  unreadable,
  type Span,
} from '../src/judge/checks/leftovers.js';
import {
  acceptedIn,
  creationsOfStrangers,
  leftIn,
  othersAdd,
  spans,
  unshownIn,
} from '../src/judge/world/leftovers.js';
import { showsEverything } from '../src/judge/world/whole-pages.js';
import { refused, succeeded } from '../src/judge/checks/status.js';
import type { RequirementId } from '../src/base/interface/types.js';
import { counted } from '../src/base/kernel/format.js';
import { statusOf } from '../src/wire/exchange/headers.js';
import type { Exchange } from '../src/wire/exchange/types.js';
import { MUTATIONS } from '../src/drive/probes/creation-bodies.js';
import { nobody } from '../src/drive/probes/credentials.js';
import type { Probes } from '../src/drive/probes/probes.js';
import { expects } from '../src/drive/probes/specs.js';
import type { RunFacts } from '../src/drive/suite/fixture.js';
import { controlFor } from '../src/drive/suite/operations.js';
import { requirement, test } from '../src/drive/suite/host.js';

/**
 * Part 4, "Add an animal", and part 5: requests to be refused, and their leftovers. A listing of all precedes
 * and follows them, with no other creation between.
 */

for (const row of [
  'create-missing-field',
  'create-invalid-value',
  'create-body-required',
  'create-malformed-json',
] as const)
  test(
    ...requirement(row, async ({ probes, judge }) => {
      for (const mutation of MUTATIONS.filter((candidate) => candidate.row === row)) {
        const { exchange, control } = await probes.refused(mutation);
        judge(refused(row, exchange, control));
      }
    }),
  );

/** Bodies that are wrong only on the inside: a server must read them to see it. */
const WRONG_INSIDE = MUTATIONS.filter(({ label }) =>
  ['without name', 'categoryId a string', 'broken JSON'].includes(label),
);

/** Reported without an earlier listing, which new animals are compared with. */
const OTHER_NAMES = untried(
  'animals left under a name that the run did not send (no request left for another listing)',
);

/** Reported if the store gains animals without the run: then only names show where one comes from. */
const OF_OTHERS = untried('animals left under a name that the run did not send (other clients add animals)');

/**
 * Rounds of creations without a valid key: another client may add an animal in each of two by chance, but
 * hardly in three.
 */
const ROUNDS = 3;

/** Requests with the key of another round, and of the quiet time before it. */
const OF_A_ROUND = 2;

/** Returns the time between the listings of a span, ms. */
const durationOf = ({ before, after }: Span): number => after.exchange.sentAt - before.exchange.sentAt;

/** Reported if creations without a valid key left animals too, so the origin is unclear. */
const OF_STRANGERS = blocked('auth-before-work', 'new animals may come from creations without a valid key');

/** Judges that nothing was added; reports a gap if listings do not show all of the run's additions. */
function foundNothing(span: Span, probes: Probes): readonly Judgement[] {
  const unshown = unshownIn(span, probes.world()).length;
  return [
    unreadable(span) ?? leftNothing(span),
    ...(unshown > 0
      ? [
          untried(
            `animals that listings do not show (they lack ${counted(unshown, 'animal')} that the run added)`,
          ),
        ]
      : []),
  ];
}

/** Reported if no creation succeeded: only those show the delay of additions. */
const SHOWN_LATE = untried(
  'animals that appear later than after 0.4 s (no creation was accepted to measure the delay)',
);

const strangersOf = (facts: RunFacts) => [nobody, facts.neverIssued];

type Stranger = ReturnType<typeof strangersOf>[number];

const rowOfStranger = (identity: Stranger): RequirementId =>
  identity === nobody ? 'auth-missing-key' : 'auth-invalid-key';

/** A server that serves everybody does no work before it checks the key. Null for one that refuses. */
const servedToo = (plain: Exchange, identity: Stranger, exchange: Exchange): Judgement | null =>
  succeeded(plain) && statusOf(exchange) !== 401
    ? blocked(rowOfStranger(identity), `“${plain.probe}” got ${statusOf(plain)}`, [exchange, plain])
    : null;

async function createAsStrangers(probes: Probes, facts: RunFacts): Promise<void> {
  for (const identity of strangersOf(facts)) {
    for (const mutation of WRONG_INSIDE)
      await probes.refusedAs(mutation, identity, expects('auth-before-work', 401), { again: true });
    await probes.asIdentity('createPet', identity, expects(rowOfStranger(identity), 401), { again: true });
  }
}

/** Sends as many listings without a valid key: what others add may come with requests, not with time. */
async function listAsStrangers(probes: Probes, facts: RunFacts): Promise<void> {
  for (const identity of strangersOf(facts))
    for (let sent = 0; sent <= WRONG_INSIDE.length; sent += 1)
      await probes.asIdentity('listPets', identity, expects(rowOfStranger(identity), 401), { again: true });
}

test(
  ...requirement('auth-before-work', async ({ probes, facts, judge }) => {
    const row = 'auth-before-work';
    if (facts.removal === 'before')
      for (const identity of strangersOf(facts)) {
        const control = await controlFor(probes, 'getPet');
        const exchange = await probes.fetchedAs(probes.unknownId(), identity, expects(row, 401));
        const plain = await probes.asIdentity('getPet', identity, expects(rowOfStranger(identity), 401));
        judge(servedToo(plain, identity, exchange) ?? refused(row, exchange, control));
      }
    if (!probes.writes)
      return judge(outOfScope('writes-off', 'a creation without a key must be sent, and writes are off'));
    const control = await controlFor(probes, 'createPet');
    await probes.beforeRefusals();
    await createAsStrangers(probes, facts);
    for (const identity of strangersOf(facts)) {
      const unauthorised = await probes.asIdentity('createPet', identity, expects(row, 401));
      for (const mutation of WRONG_INSIDE) {
        const exchange = await probes.refusedAs(mutation, identity, expects(row, 401));
        judge(servedToo(unauthorised, identity, exchange) ?? refused(row, exchange, control));
      }
      if (!succeeded(unauthorised)) judge(kept([unauthorised]));
    }
    const now = await probes.afterRefusals();
    const sent = strangersOf(facts).flatMap(probes.creationsAs);
    const named = addsNone(probes.world().pages, sent, probes.world());
    if (named.kind === 'violated') return judge(named);
    const first = spans(probes.world()).at(-1);
    if (!first || first.after.exchange.id !== now.exchange.id) {
      if (showsEverything(now, probes.world())) return judge(named, OTHER_NAMES);
      // These creations have status available: in a large store one page may show all of those.
      const available = await probes.fullyListed('available', []);
      if (!available.whole) return judge(await probes.notWhole(now));
      return judge(
        addsNone([available.page], sent, probes.world()),
        untried('animals added with another status or name (no listing of the store is complete)'),
      );
    }
    let span = first;
    // Another client or refused creations of the run may have added these. Repeats without them.
    const isLeft = (): boolean => isSignificant(leftIn(span, probes.world()).length, probes.exclusive);
    for (let round = 1; isLeft(); round += 1) {
      if (othersAdd(probes.world())) return judge(named, OF_OTHERS);
      if (round > 1 && !probes.affords(OF_A_ROUND)) break;
      await listAsStrangers(probes, facts);
      const quiet = { before: span.after, after: await probes.afterAWhile(durationOf(span)), between: [] };
      // What the first round left may show late.
      if (round > 1 && leftIn(quiet, probes.world()).length > 0) return judge(named, OF_OTHERS);
      if (round === ROUNDS) break;
      await createAsStrangers(probes, facts);
      await probes.afterAWhile();
      span = spans(probes.world()).at(-1) ?? span;
    }
    const found = leftIn(span, probes.world());
    judge(
      ...(isSignificant(found.length, probes.exclusive)
        ? [unreadable(span) ?? leftSomething(span, found)]
        : foundNothing(span, probes)),
    );
  }),
);

test(
  ...requirement('create-rejected-leaves-nothing', async ({ probes, judge }) => {
    for (const mutation of MUTATIONS) await probes.refused(mutation);
    const refusals = probes.refusals();
    if (refusals.length === 0) return judge(unestablished('prerequisite', 'no creation was rejected'));
    const now = await probes.afterRefusals();
    const named = addsNone(probes.world().pages, refusals, probes.world());
    if (named.kind === 'violated') return judge(named);
    const ids = new Set(refusals.map(({ id }) => id));
    const all = spans(probes.world());
    const span = all.find(({ between }) => between.some(({ id }) => ids.has(id)));
    if (!showsEverything(now, probes.world())) return judge(await probes.notWhole(now));
    if (!span) return judge(named, OTHER_NAMES);
    // auth-before-work judges leftovers of creations without a valid key, and repeated those separately.
    const strangers = creationsOfStrangers(span.after.exchange.sentAt, probes.world());
    const found = leftIn(span, probes.world()).filter((pet) => !isNamedIn(pet, strangers, probes.prefix));
    if (found.length > 0 && othersAdd(probes.world())) return judge(named, OF_OTHERS);
    const alone = all.find(({ between }) => between.every(({ credential }) => credential.kind !== 'valid'));
    const byStrangers = alone
      ? leftIn(alone, probes.world()).filter((pet) => !isNamedIn(pet, strangers, probes.prefix)).length
      : 0;
    const others = found.length - byStrangers;
    if (!isSignificant(others, probes.exclusive)) {
      // Not more than those creations left elsewhere, so the origin is unclear.
      if (isSignificant(found.length, probes.exclusive)) return judge(OF_STRANGERS);
      if (probes.world().additions.length === 0) judge(SHOWN_LATE);
      return judge(...foundNothing(span, probes));
    }
    // New animals are from refusals only if no other creation is between the listings.
    const [taken] = acceptedIn(span);
    if (taken?.intent.kind === 'expects')
      return judge(
        blocked(
          taken.intent.chargedTo,
          `“${taken.probe}” was accepted, and may have added more than one animal`,
          [taken],
        ),
      );
    // Leftovers of earlier creations without a valid key may show late.
    const before = creationsOfStrangers(span.before.exchange.sentAt, probes.world()).length;
    if (byStrangers > 0 && !isSignificant(others - before, probes.exclusive)) return judge(OF_STRANGERS);
    if (probes.affords(1)) {
      const quiet = { before: now, after: await probes.afterAWhile(durationOf(span)), between: [] };
      if (newcomers(quiet, () => false).length > 0) return judge(named, OF_OTHERS);
    }
    judge(
      unreadable(span) ??
        leftSomething(
          { ...span, between: span.between.filter(({ id }) => ids.has(id)) },
          found.slice(byStrangers),
        ),
    );
  }),
);
