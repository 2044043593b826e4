import type { Exchange } from '../exchange/types.js';

/** What a probe is called, so that its answer can be asked for again; what stands behind says how it differs from others. */
export type ProbeName = `GET ${string}` | `POST /pets, ${string}` | `PATCH /pets${string}`;

/** Whether an exchange is the newest of those that its probe led to. */
export const isNewest = (exchange: Exchange, all: readonly Exchange[]): boolean =>
  all.findLast(({ probe }) => probe === exchange.probe) === exchange;
