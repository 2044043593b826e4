import type { Answer, Client, Request } from './sending.js';

export type Script = (client: Client) => Promise<unknown>;

export const creation = (body: string, headers?: Readonly<Record<string, string>>): Request => ({
  method: 'POST',
  path: '/pets',
  body,
  ...(headers && { headers }),
});

const digitsOf = (member: string, { text }: Answer): string | undefined =>
  new RegExp(`"${member}":(-?\\d+)`).exec(text)?.[1];

export const session: Script = async ({ send }) => {
  const category = digitsOf('categoryId', await send({ path: '/pets?limit=5' })) ?? '1';
  await send(creation(`{"name":"Rex","categoryId":${category},"status":"sold"}`));
  await send({ path: '/pets?status=available&limit=100' });
};

export const each =
  (...requests: readonly Request[]): Script =>
  async ({ send }) => {
    for (const request of requests) await send(request);
  };

export const together =
  (count: number): Script =>
  ({ send }) =>
    Promise.all(Array.from({ length: count }, (_, nth) => send({ path: `/pets?limit=${nth + 1}` })));
