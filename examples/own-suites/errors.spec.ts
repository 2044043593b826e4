import { checks, requirement, test } from 'petstore-conformance';

test(
  ...requirement('own-errors-in-english', async ({ ask, judge }) => {
    const refused = await ask({ path: '/pets', key: false });
    const { message } = refused.json as { readonly message: string };
    judge(
      checks.status(refused, 401),
      checks.holds(/[a-z]{2,}/i.test(message), refused, 'the message has no word'),
    );
  }),
);
