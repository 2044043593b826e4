import { sameAnimal } from '../src/checks/animals.js';
import { asIfRemoved, existingIsServed, gone, isTheOneAskedFor, stillThere } from '../src/checks/fetching.js';
import { observed, unestablished, untried, violated } from '../src/checks/finding.js';
import { petsOf } from '../src/checks/listing.js';
import type { Judgement } from '../src/checks/finding.js';
import { outcomeOf, valuesOf } from '../src/checks/observing.js';
import { refused, succeeded } from '../src/checks/status.js';
import { statusOf } from '../src/exchange/headers.js';
import { INT64 } from '../src/exchange/json.js';
import type { Exchange } from '../src/exchange/types.js';
import type { Probes } from '../src/probes/probes.js';
import { expects, open } from '../src/probes/specs.js';
import { animalsIn } from '../src/probes/store.js';
import { requirement, test } from '../src/suite/host.js';
import { afterRemoval, beforeRemoval } from '../src/suite/removal.js';

/** Part 4, "Get an animal", which is deprecated, and part 9, "Deprecation". */

/** Why an animal that is not found may be there all the same: an answer told its id wrongly. */
function wronglyTold(exchange: Exchange, probes: Probes): Judgement | null {
  const row = asIfRemoved(exchange) ? probes.rowOfWrongIds() : null;
  return row === null
    ? null
    : unestablished('prerequisite', `“${exchange.probe}” asks for an id that was told wrongly (${row})`, [exchange]);
}

test(
  ...requirement('get-until-removal', async ({ probes, facts, judge }) => {
    beforeRemoval(facts);
    const { exchange } = await probes.existing();
    judge(wronglyTold(exchange, probes) ?? stillThere(exchange));
  }),
);

test(
  ...requirement('get-ok', async ({ probes, facts, judge }) => {
    beforeRemoval(facts);
    const existing = await probes.existing();
    judge(wronglyTold(existing.exchange, probes) ?? existingIsServed(existing.exchange));
    const asked = isTheOneAskedFor(await probes.existingId(), existing);
    if (!probes.writes) judge(asked);
    const added = await probes.fetchedCreations();
    for (const { fetched, creation } of added)
      if (!asIfRemoved(fetched.exchange) && probes.isFindable(creation)) judge(existingIsServed(fetched.exchange));
    // Where an animal that was created comes out as another, get-matches-created says so.
    const isToldElsewhere = added.some(
      ({ creation, fetched }) =>
        creation.reading.ok && isTheOneAskedFor(creation.reading.value.id ?? '', fetched).kind === 'violated',
    );
    if (!isToldElsewhere) judge(asked);
    const before = petsOf(await probes.firstCensus()).length;
    if (before < 2) judge(untried(`an animal from before the run among others (${before} there)`));
  }),
);

test(
  ...requirement('get-matches-created', async ({ probes, facts, judge }) => {
    beforeRemoval(facts);
    const control = await probes.existing();
    for (const { creation, fetched, waitedMs, hasBigCategory } of await probes.fetchedCreations()) {
      const { exchange } = fetched;
      if (probes.isAmbiguous(creation))
        judge(
          unestablished('prerequisite', `another animal has the id of “${creation.exchange.probe}” (pet-id-unique)`, [
            creation.exchange,
          ]),
        );
      else if (!probes.isFindable(creation))
        judge(
          unestablished(
            'prerequisite',
            `the answer to “${creation.exchange.probe}” told another id than its animal has (${probes.told(creation).kind === 'digits' ? 'pet-int64' : 'pet-id-unique'})`,
            [creation.exchange],
          ),
        );
      else if (asIfRemoved(exchange) && !asIfRemoved(control.exchange))
        judge(
          violated([exchange, creation.exchange], `“${exchange.probe}” does not find the animal that was created`, {
            expected: '200',
            actual: String(statusOf(exchange)),
          }),
        );
      else
        judge(
          sameAnimal(
            fetched,
            creation,
            creation.sent,
            hasBigCategory ? ['id', 'name', 'status'] : ['id', 'name', 'categoryId', 'status'],
          ),
        );
      if (waitedMs > 0)
        judge(observed([exchange], `shown ${waitedMs} ms after it was first asked for`, creation.exchange.probe));
    }
  }),
);

test(
  ...requirement('get-unknown', async ({ probes, facts, judge }) => {
    beforeRemoval(facts);
    const control = (await probes.existing()).exchange;
    const isWhole = probes.showsEverything(await probes.firstCensus());
    const greatest = INT64.max.toString();
    const isTaken = untried(`the id ${greatest} (an animal has it)`);
    for (const id of [probes.unknownId(), greatest]) {
      if (probes.store().animals.has(id)) {
        judge(isTaken);
        continue;
      }
      const { exchange } = await probes.fetched(id, expects('get-unknown', 404));
      // Ids may be handed out from the largest one down, and a store that is not seen whole may hold that animal.
      const exists = id === greatest && !isWhole && animalsIn(exchange).some((pet) => pet.id === id);
      judge(exists ? isTaken : refused('get-unknown', exchange, control));
    }
  }),
);

test(
  ...requirement('get-after-removal', async ({ probes, facts, judge }) => {
    afterRemoval(facts);
    judge(
      gone(
        await probes.ask({
          probe: 'GET of an existing animal after the removal',
          operation: null,
          method: 'GET',
          path: `/pets/${await probes.existingId()}`,
          identity: probes.key,
          intent: open('get-after-removal'),
        }),
      ),
    );
  }),
);

test(
  ...requirement('get-malformed-id', async ({ probes, facts, judge }) => {
    beforeRemoval(facts);
    const control = (await probes.existing()).exchange;
    if (!succeeded(control))
      return judge(observed([control], `not asked: “${control.probe}” was not served (${outcomeOf(control)})`));
    const { exchange } = await probes.fetched('abc', open('get-malformed-id'));
    judge(observed([exchange], outcomeOf(exchange), 'the id “abc”'));
  }),
);

test(
  ...requirement('deprecation-signals', async ({ probes, facts, judge }) => {
    beforeRemoval(facts);
    const { exchange } = await probes.existing();
    judge(observed([exchange], valuesOf(exchange, ['Deprecation', 'Sunset', 'Link'])));
  }),
);

test(
  ...requirement('undeclared-method', async ({ probes, judge }) => {
    const exchange = await probes.ask({
      probe: 'PATCH /pets',
      operation: null,
      method: 'PATCH',
      path: '/pets',
      identity: probes.key,
      intent: open('undeclared-method'),
    });
    judge(observed([exchange], `${outcomeOf(exchange)}, ${valuesOf(exchange, ['Allow'])}`, 'PATCH /pets'));
  }),
);
