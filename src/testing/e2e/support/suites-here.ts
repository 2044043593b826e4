import { redactor } from '../../../wire/exchange/redact.js';
import { fileJournal } from '../../../log/journal.js';
import { readLog } from '../../../log/read.js';
import { receivedBeside } from '../../../log/received.js';
import { suitesProcess, type PlaywrightChild } from '../../../run/playwright-child.js';
import type { WorkerOrder } from '../../../drive/suite/variables.js';
import { openFixture } from '../../../drive/suite/fixture.js';
import { judgeRequirement } from '../../../drive/suite/judge-requirement.js';
import { suiteCases } from '../../../drive/suite/plain-host.js';

/**
 * Makes runs of this process judge the suites in it, as Playwright's worker does: its start takes two seconds
 * of a processor, and the parity proof shows equal outcomes. Own suites run in Playwright.
 */
export const runSuitesHere = (): void => void (suitesProcess.start = startHere);

function startHere(order: WorkerOrder): PlaywrightChild {
  const { keys, words, selected } = order;
  return {
    discard: () => undefined,
    run: async (signal) => {
      const received = receivedBeside(order.log, order.secret);
      const known = received.restored((await readLog(order.log)).exchanges);
      const journal = fileJournal(order.log, redactor(keys, words), undefined, received);
      const { fixture, sender } = openFixture(order, { journal, keys, known, signal });
      try {
        for (const { row, body } of await suiteCases())
          if (!signal.aborted && (!selected || selected.includes(row.id)))
            await judgeRequirement(row, body, fixture);
      } finally {
        await sender.close();
        journal.close();
      }
      return { code: 0, output: '' };
    },
  };
}
