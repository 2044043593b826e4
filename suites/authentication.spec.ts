import { kept, outOfScope, untried } from '../src/findings/finding.js';
import { refused, succeeded, challenged, notRefusedForItsKey } from '../src/checks/status.js';
import { statusBreak } from '../src/checks/layers.js';
import { petsOf } from '../src/checks/listing.js';
import { prerequisite } from '../src/checks/pets.js';
import {
  bare,
  basic,
  basicPassword,
  bearer,
  cutShort,
  emptyToken,
  inHeader,
  inQuery,
  lengthened,
  neverIssued,
  nobody,
  otherCase,
  otherScheme,
  prefixed,
} from '../src/probes/credentials.js';
import { statusOf } from '../src/exchange/headers.js';
import type { Exchange } from '../src/exchange/types.js';
import { expects } from '../src/probes/specs.js';
import { controlFor, creationsLeftOut, operationsOf } from '../src/suite/operations.js';
import { requirement, test } from '../src/suite/host.js';

/** Part 5: authentication. The control of every refusal differs from it only in the credential. */

test(
  ...requirement('auth-valid-key', async ({ probes, facts, judge }) => {
    judge(...creationsLeftOut(probes));
    for (const operation of operationsOf(probes, facts))
      judge(notRefusedForItsKey(await controlFor(probes, operation)));
  }),
);

test(
  ...requirement('auth-missing-key', async ({ probes, facts, contract, judge }) => {
    const row = 'auth-missing-key';
    judge(...creationsLeftOut(probes));
    for (const operation of operationsOf(probes, facts)) {
      const control = await controlFor(probes, operation);
      for (const identity of [nobody, emptyToken])
        judge(refused(row, await probes.asIdentity(operation, identity, expects(row, 401)), control));
    }
    // Other pages and animals may have another source than the plain listing and the first animal. They have no control, so
    // only a success or a 401 counts.
    const judgeOther = (exchange: Exchange, control: Exchange): void => {
      if (succeeded(exchange) || statusOf(exchange) === 401) judge(refused(row, exchange, control));
    };
    for (const query of [{ limit: contract.pageSize.max }, ...contract.statuses.map((status) => ({ status }))])
      judgeOther(await probes.listedUnder(nobody, query, expects(row, 401)), await controlFor(probes, 'listPets'));
    if (facts.removal !== 'before') return;
    const existing = await probes.existingId();
    const added = probes.added().flatMap(({ reading }) => (reading.ok ? [reading.value] : []));
    const id =
      [...added, ...petsOf(await probes.firstCensus())].findLast((pet) => pet.id !== null && pet.id !== existing)?.id ??
      null;
    if (id === null) judge(untried('a fetch of an animal other than the first (there was none)'));
    else judgeOther(await probes.fetchedAs(id, nobody, expects(row, 401)), await controlFor(probes, 'getPet'));
  }),
);

test(
  ...requirement('auth-invalid-key', async ({ probes, facts, judge }) => {
    judge(...creationsLeftOut(probes));
    for (const operation of operationsOf(probes, facts)) {
      const control = await controlFor(probes, operation);
      for (const identity of [neverIssued(probes.run, facts.keyHasLookAlike), cutShort, lengthened, prefixed])
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
    // A service that accepts any key proves nothing about letter case.
    const strange = await probes.asIdentity(
      'listPets',
      neverIssued(probes.run, facts.keyHasLookAlike),
      expects('auth-invalid-key', 401),
    );
    const broken = statusBreak(strange);
    if (broken) return judge(prerequisite(broken, strange));
    judge(
      refused(
        'auth-key-case',
        await probes.asIdentity('listPets', otherCase, expects('auth-key-case', 401), { fresh: true }),
        control,
      ),
    );
    // Some servers cache header values without regard to case, so this follows directly after the true key.
    judge(refused('auth-key-case', await probes.rightAfterTrueKey(otherCase, expects('auth-key-case', 401)), control));
  }),
);

test(
  ...requirement('auth-bearer-only', async ({ probes, facts, judge }) => {
    judge(...creationsLeftOut(probes));
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
    judge(...creationsLeftOut(probes));
    for (const operation of operationsOf(probes, facts)) {
      const control = await controlFor(probes, operation);
      // If a request without a key is not refused, one with a misplaced key proves nothing more.
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
  ...requirement('auth-scheme-case', async ({ probes, facts, judge }) => {
    const control = await controlFor(probes, 'listPets');
    // A service that accepts any key proves nothing about the scheme.
    const strange = await probes.asIdentity(
      'listPets',
      neverIssued(probes.run, facts.keyHasLookAlike),
      expects('auth-invalid-key', 401),
    );
    const broken = succeeded(strange) ? statusBreak(strange) : null;
    if (broken) return judge(prerequisite(broken, strange));
    const exchange = await probes.asIdentity(
      'listPets',
      bearer(probes.plan, 'bearer'),
      expects('auth-scheme-case', 200),
    );
    // Any success shows that the scheme is accepted; another row judges its status code.
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
