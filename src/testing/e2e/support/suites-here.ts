import { register } from 'node:module';
import { once } from '../../../base/kernel/config-file.js';
import { redactor } from '../../../wire/exchange/redact.js';
import { fileJournal } from '../../../log/journal.js';
import { readLog } from '../../../log/read.js';
import { receivedBeside } from '../../../log/received.js';
import { startPlaywright as startReal } from '../../../run/playwright-child.js';
import { openFixture } from '../../../drive/suite/fixture.js';
import { judgeRequirement } from '../../../drive/suite/judge-requirement.js';
import { suiteCases } from '../../../drive/suite/plain-host.js';

/** Makes later imports of `run/playwright-child.js` in this process import this file. */
export const runSuitesHere = once((): void => {
  const hook = `
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const isReplaced = found.url.endsWith('/run/playwright-child.js') && context.parentURL !== ${JSON.stringify(import.meta.url)};
  return isReplaced ? { ...found, url: ${JSON.stringify(import.meta.url)} } : found;
}`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
});

/**
 * Runs the suites in this process, as Playwright's worker does: its start takes two seconds of a processor,
 * and the parity proof shows equal outcomes. Own suites run in Playwright.
 */
export function startPlaywright(...options: Parameters<typeof startReal>): ReturnType<typeof startReal> {
  const [order] = options;
  const { keys, words, selected, own } = order;
  if (own) return startReal(...options);
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
