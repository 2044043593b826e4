import { sameAnimal } from '../src/checks/animals.js';
import { asIfRemoved, existingIsServed, gone, isTheOneAskedFor, stillThere } from '../src/checks/fetching.js';
import { observed, outOfScope, unestablished, violated } from '../src/checks/finding.js';
import { outcomeOf, valuesOf } from '../src/checks/observing.js';
import { refused, succeeded } from '../src/checks/status.js';
import { statusOf } from '../src/exchange/headers.js';
import { INT64 } from '../src/exchange/json.js';
import { expects, open } from '../src/probes/specs.js';
import { animalsIn } from '../src/probes/store.js';
import { requirement, test } from '../src/suite/host.js';
import { afterRemoval, beforeRemoval } from '../src/suite/removal.js';

/** Part 4, "Get an animal", which is deprecated, and part 9, "Deprecation". */

test(
  ...requirement('get-until-removal', async ({ probes, facts, judge }) => {
    beforeRemoval(facts);
    judge(stillThere((await probes.existing()).exchange));
  }),
);

test(
  ...requirement('get-ok', async ({ probes, facts, judge }) => {
    beforeRemoval(facts);
    const existing = await probes.existing();
    judge(existingIsServed(existing.exchange));
    const asked = isTheOneAskedFor(await probes.existingId(), existing);
    if (!probes.writes) judge(asked);
    const added = await probes.fetchedCreations();
    for (const { fetched } of added) if (!asIfRemoved(fetched.exchange)) judge(existingIsServed(fetched.exchange));
    // Where an animal that was created comes out as another, get-matches-created says so.
    const isToldElsewhere = added.some(
      ({ creation, fetched }) =>
        creation.reading.ok && isTheOneAskedFor(creation.reading.value.id ?? '', fetched).kind === 'violated',
    );
    if (!isToldElsewhere) judge(asked);
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
    for (const id of [probes.unknownId(), INT64.max.toString()].filter((id) => !probes.store().animals.has(id))) {
      const { exchange } = await probes.fetched(id, expects('get-unknown', 404));
      // Ids may be handed out from the largest one down, and a store that is not seen whole may hold that animal.
      const exists = id === INT64.max.toString() && !isWhole && animalsIn(exchange).some((pet) => pet.id === id);
      judge(
        exists
          ? outOfScope('store-too-large', `an animal has the id ${id}, so that it is not unknown`)
          : refused('get-unknown', exchange, control),
      );
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
