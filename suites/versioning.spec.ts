import { kept, observed, violated } from '../src/judge/findings/finding.js';
import { requirement, test } from '../src/drive/suite/host.js';

/** Part 9: versioning. */

test(
  ...requirement('base-path-v1', ({ facts, judge }) => {
    const { pathname } = new URL(facts.baseUrl);
    judge(
      pathname.endsWith('/v1')
        ? kept([])
        : violated([], 'the base address does not end with the version segment', {
            expected: '…/v1',
            actual: pathname,
            measured: { what: [pathname] },
          }),
    );
  }),
);

test(
  ...requirement('stability-marker', ({ contract, judge }) => {
    const marked = Object.entries(contract.markers).map(([operation, marker]) => `${operation}: ${marker}`);
    judge(observed([], marked.length > 0 ? marked.join(', ') : 'no operation has a marker'));
  }),
);
