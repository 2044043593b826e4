import { codesByStatus } from '../src/judge/checks/observing.js';
import { observed } from '../src/judge/findings/finding.js';
import { nobody } from '../src/drive/probes/credentials.js';
import { expects } from '../src/drive/probes/specs.js';
import { requirement, test } from '../src/drive/suite/host.js';

/** Part 7: errors. Other rows judge the shape on every exchange; these observe what the interface leaves open. */

test(
  ...requirement('error-code-values', async ({ probes, judge }) => {
    await probes.asIdentity('listPets', nobody, expects('auth-missing-key', 401));
    for (const { status, codes, exchanges } of codesByStatus(probes.exchanges()))
      judge(observed(exchanges, codes.join(', '), String(status)));
  }),
);
