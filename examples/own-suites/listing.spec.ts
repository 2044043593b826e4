import { checks, requirement, test } from 'petstore-conformance';

interface Pet {
  readonly id: number;
  readonly name: string;
}

test(
  ...requirement('own-list-fast', async ({ ask, judge }) => {
    const page = await ask({ path: '/pets' });
    judge(
      checks.holds(page.latencyMs < 5000, page, 'the listing took too long', {
        expected: 'less than 5,000 ms',
        actual: `${Math.round(page.latencyMs)} ms`,
      }),
    );
  }),
);

test(
  ...requirement('own-names-shown', async ({ ask, judge }) => {
    const page = await ask({ path: '/pets', query: { limit: 100 } });
    judge(checks.status(page, 200));
    for (const { id, name } of page.json as readonly Pet[])
      judge(checks.holds(name.trim() !== '', page, `animal ${id} has a blank name`));
  }),
);
