import { kept, outOfScope, unestablished } from '../src/checks/finding.js';
import { addsNone } from '../src/checks/listing.js';
import { refused, succeeded } from '../src/checks/status.js';
import { MUTATIONS } from '../src/probes/creations.js';
import { neverIssued, nobody } from '../src/probes/credentials.js';
import { expects } from '../src/probes/specs.js';
import { controlFor } from '../src/suite/operations.js';
import { requirement, test } from '../src/suite/host.js';

/**
 * Part 4, "Add an animal", and part 5: what is refused leaves nothing behind. One listing shows it of both, once all has
 * been sent that must not add an animal.
 */

test(
  ...requirement('auth-before-work', async ({ probes, facts, judge }) => {
    const row = 'auth-before-work';
    const identities = [nobody, neverIssued(probes.run, facts.keyHasLookAlike)];
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
    const sent = identities.flatMap(probes.creationsAs);
    if (probes.showsEverything(now)) return judge(addsNone(now, sent, probes.prefix));
    // They were to be available: in a large store one page may show all of those.
    const available = await probes.fullyListed('available', []);
    judge(available.whole ? addsNone(available.page, sent, probes.prefix) : probes.notWhole(now));
  }),
);

test(
  ...requirement('create-rejected-leaves-nothing', async ({ probes, judge }) => {
    for (const mutation of MUTATIONS) await probes.refused(mutation);
    const refusals = probes.refusals();
    if (refusals.length === 0) return judge(unestablished('prerequisite', 'no creation was refused'));
    const now = await probes.settled();
    judge(probes.showsEverything(now) ? addsNone(now, refusals, probes.prefix) : probes.notWhole(now));
  }),
);
