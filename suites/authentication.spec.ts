import { isViolated, kept, outOfScope, untried, type Judgement } from '../src/judge/findings/finding.js';
import { refused, succeeded, challenged, notRefusedForItsKey } from '../src/judge/checks/status.js';
import { statusBreak } from '../src/judge/checks/layers.js';
import { petsOf } from '../src/judge/checks/listing.js';
import { prerequisite } from '../src/judge/checks/pets.js';
import {
  bare,
  basic,
  basicPassword,
  bearer,
  cutShort,
  elsewhere,
  elsewhereInAnySpelling,
  emptyToken,
  everywhereElse,
  inHeader,
  inLowerCase,
  inServerCookies,
  lengthened,
  nobody,
  otherCase,
  otherScheme,
  prefixed,
  type Identity,
} from '../src/drive/probes/credentials.js';
import type { OperationName, RequirementId } from '../src/base/interface/types.js';
import { statusOf } from '../src/wire/exchange/headers.js';
import type { Exchange } from '../src/wire/exchange/types.js';
import { declared, expects } from '../src/drive/probes/specs.js';
import { controlFor, creationsLeftOut, operationsOf } from '../src/drive/suite/operations.js';
import type { Probes } from '../src/drive/probes/probes.js';
import { requirement, test } from '../src/drive/suite/host.js';
import type { Tools } from '../src/drive/suite/judge-requirement.js';

/** Part 5: authentication. The control of every refusal differs from it only in the credential. */

test(
  ...requirement('auth-valid-key', async ({ probes, facts, contract, judge }) => {
    judge(...creationsLeftOut(probes));
    for (const operation of operationsOf(probes, facts))
      judge(notRefusedForItsKey(await controlFor(probes, operation)));
    judge(await namedInLowerCase(probes, facts, contract));
  }),
);

/** Sends the key under the header's name in lower case, with a request that another row needs anyway. */
async function namedInLowerCase(
  probes: Probes,
  { removal }: Tools['facts'],
  { pageSize }: Tools['contract'],
): Promise<Judgement> {
  const lower = inLowerCase(probes.plan);
  if (removal !== 'before')
    return notRefusedForItsKey(await probes.listedUnder(lower, { limit: pageSize.default }, declared(200)));
  const [id, intent] = [probes.unknownId(), expects('get-unknown', 404)] as const;
  const judgement = notRefusedForItsKey(await probes.fetchedAs(id, lower, intent));
  if (!isViolated(judgement)) return judgement;
  // The control; the other row needs its response.
  const usual = await probes.fetchedAs(id, probes.key, intent, { again: true });
  return isViolated(notRefusedForItsKey(usual))
    ? untried(`the header’s name in lower case (“${usual.probe}” is refused with the usual one, too)`)
    : judgement;
}

async function judgeRefusals(
  row: RequirementId,
  identitiesFor: (operation: OperationName) => readonly Identity[],
  { probes, facts, judge }: Tools,
): Promise<void> {
  judge(...creationsLeftOut(probes));
  for (const operation of operationsOf(probes, facts)) {
    const control = await controlFor(probes, operation);
    for (const identity of identitiesFor(operation))
      judge(refused(row, await probes.asIdentity(operation, identity, expects(row, 401)), control));
  }
}

/**
 * Is true if a server refuses the scheme without a key as it refuses a key that was never issued, and with a
 * wrong status code: one mistake in refusing invalid keys belongs to their row.
 */
async function isRefusedAsInvalid(operation: OperationName, tools: Tools): Promise<boolean> {
  const { probes, facts } = tools;
  const missing = expects('auth-missing-key', 401);
  const empty = await probes.asIdentity(operation, emptyToken, missing);
  const absent = await probes.asIdentity(operation, nobody, missing);
  if (succeeded(empty) || !statusBreak(empty) || statusBreak(absent)) return false;
  const strange = await probes.asIdentity(operation, facts.neverIssued, expects('auth-invalid-key', 401));
  return statusOf(strange) === statusOf(empty);
}

test(
  ...requirement('auth-missing-key', async (tools) => {
    const { probes, facts, contract, judge } = tools;
    const row = 'auth-missing-key';
    await judgeRefusals(row, () => [nobody], tools);
    for (const operation of operationsOf(probes, facts)) {
      const empty = await probes.asIdentity(operation, emptyToken, expects(row, 401));
      if (!(await isRefusedAsInvalid(operation, tools)))
        judge(refused(row, empty, await controlFor(probes, operation)));
    }
    // Other pages and animals may have another source than the plain listing and the first animal. They have no control, so
    // only a success or a 401 counts.
    const judgeOther = (exchange: Exchange, control: Exchange): void => {
      if (succeeded(exchange) || statusOf(exchange) === 401) judge(refused(row, exchange, control));
    };
    for (const query of [
      { limit: contract.pageSize.max },
      ...contract.statuses.map((status) => ({ status })),
    ])
      judgeOther(
        await probes.listedUnder(nobody, query, expects(row, 401)),
        await controlFor(probes, 'listPets'),
      );
    if (facts.removal !== 'before') return;
    const existing = await probes.existingId();
    const added = probes.world().additions.flatMap(({ reading }) => (reading.ok ? [reading.value] : []));
    const id =
      [...added, ...petsOf(await probes.firstCensus())].findLast(
        (pet) => pet.id !== null && pet.id !== existing,
      )?.id ?? null;
    if (id === null) judge(untried('a fetch of an animal other than the first (there was none)'));
    else
      judgeOther(await probes.fetchedAs(id, nobody, expects(row, 401)), await controlFor(probes, 'getPet'));
  }),
);

test(
  ...requirement('auth-invalid-key', (tools) =>
    judgeRefusals('auth-invalid-key', () => [tools.facts.neverIssued, cutShort, lengthened, prefixed], tools),
  ),
);

/**
 * Lists under a key that was never issued: a service that accepts any key proves nothing about the form of a
 * key.
 */
const listedUnderStrangeKey = ({ probes, facts }: Tools): Promise<Exchange> =>
  probes.asIdentity('listPets', facts.neverIssued, expects('auth-invalid-key', 401));

test(
  ...requirement('auth-key-case', async (tools) => {
    const { probes, facts, judge } = tools;
    const row = 'auth-key-case';
    if (!facts.keyHasLetters) return judge(outOfScope('untestable', 'the key has no letters'));
    const control = await controlFor(probes, 'listPets');
    const strange = await listedUnderStrangeKey(tools);
    const broken = statusBreak(strange);
    if (broken) return judge(prerequisite(broken, strange));
    const intent = expects(row, 401);
    judge(refused(row, await probes.asIdentity('listPets', otherCase, intent, { fresh: true }), control));
    // Some servers cache header values without regard to case, so this follows directly after the true key.
    judge(refused(row, await probes.rightAfterTrueKey(otherCase, intent), control));
  }),
);

/** One operation is enough for a second place in the same header. */
const underOtherSchemes = (operation: OperationName): readonly Identity[] => [
  basic,
  otherScheme(operation),
  bare,
  ...(operation === 'listPets' ? [basicPassword] : []),
];

test(
  ...requirement('auth-bearer-only', (tools) => judgeRefusals('auth-bearer-only', underOtherSchemes, tools)),
);

test(
  ...requirement('auth-header-only', async ({ probes, facts, judge }) => {
    const row = 'auth-header-only';
    judge(...creationsLeftOut(probes));
    // Operations mostly share what reads the key, so where one reads it from some places, only those are tried at the next.
    let places: readonly Identity[] = facts.isKeyLong ? elsewhere : elsewhereInAnySpelling;
    for (const operation of operationsOf(probes, facts)) {
      const control = await controlFor(probes, operation);
      const under = (identity: Identity): Promise<Exchange> =>
        probes.asIdentity(operation, identity, expects(row, 401));
      const judgeOne = async (identity: Identity): Promise<Judgement> =>
        refused(row, await under(identity), control);
      // If a request without a key is not refused, one with a misplaced key proves nothing more.
      const keyless = await probes.asIdentity(operation, nobody, expects('auth-missing-key', 401));
      const broken = statusBreak(keyless);
      if (broken) {
        const misplaced = await under(inHeader('X-API-Key'));
        const isAlike = statusOf(misplaced) === statusOf(keyless);
        judge(isAlike ? refused(row, misplaced, control) : prerequisite(broken, keyless));
        continue;
      }
      const cookies = probes.cookies();
      if (cookies.length > 0) judge(await judgeOne(inServerCookies(cookies)));
      // One request for all places keeps the run below a limit per address. Each place follows only to find the one that is read.
      const together = facts.isKeyLong ? null : await judgeOne(everywhereElse);
      if (together?.kind === 'kept') {
        judge(together);
        continue;
      }
      const apart: { readonly place: Identity; readonly judgement: Judgement }[] = [];
      for (const place of places) apart.push({ place, judgement: await judgeOne(place) });
      judge(...apart.map(({ judgement }) => judgement));
      const read = apart.filter(({ judgement }) => isViolated(judgement));
      if (together && read.length === 0) judge(together);
      else if (together) places = read.map(({ place }) => place);
    }
  }),
);

test(
  ...requirement('auth-scheme-case', async (tools) => {
    const { probes, judge } = tools;
    const control = await controlFor(probes, 'listPets');
    const strange = await listedUnderStrangeKey(tools);
    const broken = succeeded(strange) ? statusBreak(strange) : null;
    if (broken) return judge(prerequisite(broken, strange));
    const lower = bearer(probes.plan, 'bearer');
    // With the filter of an animal that the run creates later: a cache of such listings then lacks it.
    const query = probes.wholeQuery('sold');
    const exchange = await probes.listedUnder(lower, query, expects('auth-scheme-case', 200));
    // Any success shows that the scheme is accepted; another row judges its status code.
    if (succeeded(control) && succeeded(exchange)) return judge(kept([exchange]));
    judge(refused('auth-scheme-case', exchange, (await probes.listed(query)).exchange));
  }),
);

test(
  ...requirement('auth-challenge', async ({ probes, judge }) => {
    await probes.asIdentity('listPets', nobody, expects('auth-missing-key', 401));
    judge(...challenged(probes.exchanges()));
  }),
);
