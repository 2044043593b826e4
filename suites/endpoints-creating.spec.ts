import { echoes } from '../src/judge/checks/animals.js';
import { observed, outOfScope, untried, violated, type Judgement } from '../src/judge/findings/finding.js';
import { answers } from '../src/judge/checks/status.js';
import { memberKept, outcomeOf, statusGiven } from '../src/judge/checks/observing.js';
import { statusOf } from '../src/wire/exchange/headers.js';
import type { RequirementId } from '../src/base/interface/types.js';
import type { Creation } from '../src/drive/probes/creations.js';
import { requirement, test } from '../src/drive/suite/host.js';
import type { Tools } from '../src/drive/suite/judge-requirement.js';

/** Part 4, "Add an animal": creations that may succeed. */

test(
  ...requirement('create-ok', async ({ probes, judge }) => {
    const { exchange } = await probes.created();
    judge(answers('create-ok', exchange));
    for (const { byName, byStatus, both, asLong } of [await probes.pending(), await probes.sold()]) {
      const isTooLong = asLong !== null && statusOf(asLong.exchange) === 400;
      judge(
        isTooLong
          ? outOfScope('untestable', `the target rejects names as long as that of “${byName.exchange.probe}”`)
          : answers('create-ok', byName.exchange),
      );
      // Each succeeded separately, so a refusal is of the combination, even as a 400 for a long name.
      if (statusOf(byName.exchange) === 201 && statusOf(byStatus.exchange) === 201)
        judge(
          statusOf(both.exchange) === 400
            ? violated(
                [both.exchange, byName.exchange, byStatus.exchange],
                `“${both.exchange.probe}” was rejected, although each part was accepted separately`,
                {
                  expected: '201',
                  actual: '400',
                },
              )
            : answers('create-ok', both.exchange),
        );
    }
    judge(answers('create-ok', (await probes.withBigCategory()).exchange));
  }),
);

/** Judges a creation that did not get 201 by a plain one in its category, which may be the cause. */
async function unlikePlain(
  row: RequirementId,
  creation: Creation,
  { probes, judgeFor }: Tools,
): Promise<Judgement> {
  const { exchange } = await probes.plainLike(creation);
  if (exchange.id !== (await probes.created()).exchange.id)
    judgeFor('create-ok', answers('create-ok', exchange));
  return answers(row, creation.exchange);
}

test(
  ...requirement('create-status-optional', async (tools) => {
    const creation = await tools.probes.withoutStatus();
    tools.judge(
      statusOf(creation.exchange) === 201
        ? answers('create-status-optional', creation.exchange)
        : await unlikePlain('create-status-optional', creation, tools),
    );
  }),
);

test(
  ...requirement('create-each-status', async (tools) => {
    const { probes, contract, judge } = tools;
    for (const status of contract.statuses) {
      const creation = await probes.withStatus(status);
      judge(
        statusOf(creation.exchange) === 201
          ? echoes(creation.sent, creation, ['status'])
          : await unlikePlain('create-each-status', creation, tools),
      );
    }
  }),
);

test(
  ...requirement('create-status-default', async ({ probes, judge }) => {
    const { exchange } = await probes.withoutStatus();
    judge(observed([exchange], statusGiven(exchange), 'a creation without status'));
  }),
);

test(
  ...requirement('create-name-length', async ({ probes, judge }) => {
    const { byName } = await probes.sold();
    judge(observed([byName.exchange], outcomeOf(byName.exchange), 'a name of 100 characters'));
  }),
);

test(
  ...requirement('create-unknown-member', async ({ probes, judge }) => {
    const exchange = await probes.withUnknownMembers('conformanceUnknown');
    judge(
      observed([exchange], memberKept(exchange, 'conformanceUnknown'), 'members that NewPet does not have'),
    );
  }),
);

test(
  ...requirement('create-media-type', async ({ probes, judge }) => {
    const exchange = await probes.odd('labelled text/plain', 'create-media-type', (body) => body, {
      mediaType: 'text/plain',
    });
    judge(observed([exchange], outcomeOf(exchange), 'a valid body labelled text/plain'));
  }),
);

test(
  ...requirement('create-body-size', async ({ probes, judge, judgeFor }) => {
    const exchange = await probes.ofLargeSize();
    judge(observed([exchange], outcomeOf(exchange), 'a valid body of 64 KiB'));
    // It repeats the data of an earlier animal, and may be refused for that, which the interface does not allow.
    // A server error is none of the data: later creations may all fail.
    const status = statusOf(exchange) ?? 0;
    const alike = status >= 400 && status < 500 ? await probes.createdAlike() : null;
    if (alike)
      judgeFor(
        'create-ok',
        statusOf(alike) === 400
          ? untried('two animals with the same data (the target rejects the second with 400)')
          : answers('create-ok', alike),
      );
  }),
);
