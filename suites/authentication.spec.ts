import { kept, outOfScope } from '../src/checks/finding.js';
import { challenged, notRefusedForItsKey } from '../src/checks/authentication.js';
import { addsNone } from '../src/checks/listing.js';
import { statusBreak } from '../src/checks/layers.js';
import { prerequisite } from '../src/checks/pets.js';
import { refused, succeeded } from '../src/checks/status.js';
import { MUTATIONS } from '../src/probes/creations.js';
import {
  bare,
  basic,
  basicPassword,
  bearer,
  cutShort,
  inHeader,
  inQuery,
  lengthened,
  neverIssued,
  nobody,
  otherCase,
  otherScheme,
} from '../src/probes/credentials.js';
import { expects } from '../src/probes/specs.js';
import { controlFor, operationsOf } from '../src/suite/operations.js';
import { requirement, test } from '../src/suite/host.js';

/** Part 5: authentication. Every refusal has a control that differs from it in the credential alone. */

test(
  ...requirement('auth-valid-key', async ({ probes, facts, judge }) => {
    for (const operation of operationsOf(probes, facts))
      judge(notRefusedForItsKey(await controlFor(probes, operation)));
  }),
);

test(
  ...requirement('auth-missing-key', async ({ probes, facts, judge }) => {
    for (const operation of operationsOf(probes, facts)) {
      const control = await controlFor(probes, operation);
      judge(
        refused(
          'auth-missing-key',
          await probes.asIdentity(operation, nobody, expects('auth-missing-key', 401)),
          control,
        ),
      );
    }
  }),
);

test(
  ...requirement('auth-invalid-key', async ({ probes, facts, judge }) => {
    for (const operation of operationsOf(probes, facts)) {
      const control = await controlFor(probes, operation);
      for (const identity of [neverIssued(probes.run), cutShort, lengthened])
        judge(
          refused(
            'auth-invalid-key',
            await probes.asIdentity(operation, identity, expects('auth-invalid-key', 401)),
            control,
          ),
        );
    }
  }),
);

test(
  ...requirement('auth-key-case', async ({ probes, facts, judge }) => {
    if (!facts.keyHasLetters) return judge(outOfScope('untestable', 'the key has no letters'));
    const control = await controlFor(probes, 'listPets');
    // A service that takes any key does not look at letter case in particular.
    const strange = await probes.asIdentity('listPets', neverIssued(probes.run), expects('auth-invalid-key', 401));
    const broken = statusBreak(strange);
    if (broken) return judge(prerequisite(broken, strange));
    judge(
      refused(
        'auth-key-case',
        await probes.asIdentity('listPets', otherCase, expects('auth-key-case', 401), { fresh: true }),
        control,
      ),
    );
    // Some servers keep header values in a cache that ignores case: ask again where the true key has just gone by.
    judge(refused('auth-key-case', await probes.rightAfterTrueKey(otherCase, expects('auth-key-case', 401)), control));
  }),
);

test(
  ...requirement('auth-bearer-only', async ({ probes, facts, judge }) => {
    for (const operation of operationsOf(probes, facts)) {
      const control = await controlFor(probes, operation);
      for (const identity of [basic, basicPassword, otherScheme, bare])
        judge(
          refused(
            'auth-bearer-only',
            await probes.asIdentity(operation, identity, expects('auth-bearer-only', 401)),
            control,
          ),
        );
    }
  }),
);

test(
  ...requirement('auth-header-only', async ({ probes, facts, judge }) => {
    const elsewhere = [...['api_key', 'access_token', 'key', 'token'].map(inQuery), inHeader('X-API-Key')];
    for (const operation of operationsOf(probes, facts)) {
      const control = await controlFor(probes, operation);
      // Where a request without any key is not refused as it should be, one with a key in the wrong place shows no more.
      const keyless = await probes.asIdentity(operation, nobody, expects('auth-missing-key', 401));
      const broken = statusBreak(keyless);
      if (broken) {
        judge(prerequisite(broken, keyless));
        continue;
      }
      for (const identity of elsewhere)
        judge(
          refused(
            'auth-header-only',
            await probes.asIdentity(operation, identity, expects('auth-header-only', 401)),
            control,
          ),
        );
    }
  }),
);

test(
  ...requirement('auth-before-work', async ({ probes, facts, judge }) => {
    const row = 'auth-before-work';
    const identities = [nobody, neverIssued(probes.run)];
    for (const identity of identities) {
      if (facts.removal === 'before') {
        const control = await controlFor(probes, 'getPet');
        judge(refused(row, await probes.fetchedAs(probes.unknownId(), identity, expects(row, 401)), control));
      }
      if (!probes.writes) continue;
      const control = await controlFor(probes, 'createPet');
      for (const mutation of MUTATIONS.filter(({ label }) =>
        ['without name', 'categoryId a string', 'broken JSON'].includes(label),
      ))
        judge(refused(row, await probes.refusedAs(mutation, identity, expects(row, 401)), control));
      const unauthorised = await probes.asIdentity(
        'createPet',
        identity,
        expects(identity === nobody ? 'auth-missing-key' : 'auth-invalid-key', 401),
      );
      if (!succeeded(unauthorised)) judge(kept([unauthorised]));
    }
    if (!probes.writes)
      return judge(
        outOfScope('writes-off', 'whether a creation without a key is worked on takes a creation, and writes are off'),
      );
    // Only a listing that shows all can tell that what such a creation would have added is not there.
    const now = await probes.settled();
    if (probes.showsEverything(now)) judge(addsNone(now, identities.flatMap(probes.creationsAs), probes.prefix));
  }),
);

test(
  ...requirement('auth-scheme-case', async ({ probes, judge }) => {
    const control = await controlFor(probes, 'listPets');
    const exchange = await probes.asIdentity(
      'listPets',
      bearer(probes.plan, 'bearer'),
      expects('auth-scheme-case', 200),
    );
    // Any success shows that the scheme was taken; which status it has is another row's affair.
    judge(
      succeeded(control) && succeeded(exchange) ? kept([exchange]) : refused('auth-scheme-case', exchange, control),
    );
  }),
);

test(
  ...requirement('auth-challenge', async ({ probes, judge }) => {
    await probes.asIdentity('listPets', nobody, expects('auth-missing-key', 401));
    judge(...challenged(probes.exchanges()));
  }),
);
