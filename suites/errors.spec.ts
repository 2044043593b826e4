import { codesByStatus } from '../src/checks/observing.js';
import { observed } from '../src/findings/finding.js';
import { nobody } from '../src/probes/credentials.js';
import { expects } from '../src/probes/specs.js';
import { requirement, test } from '../src/suite/host.js';

/** Part 7: errors. Other rows judge the shape on every exchange; these observe what the interface leaves open. */

test(
  ...requirement('error-code-values', async ({ probes, judge }) => {
    await probes.asIdentity('listPets', nobody, expects('auth-missing-key', 401));
    for (const { status, codes, exchanges } of codesByStatus(probes.exchanges()))
      judge(observed(exchanges, codes.join(', '), String(status)));
  }),
);
