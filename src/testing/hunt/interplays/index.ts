import type { Interplay } from './interplay.js';
import { LOAD_INTERPLAYS } from './load.js';
import { SUITES_INTERPLAYS } from './suites.js';
import type { Server } from '../servers.js';

/** What members of a server do to each other beyond what the answers to the walk tell by themselves. */
export const INTERPLAYS: readonly Interplay[] = [...SUITES_INTERPLAYS, ...LOAD_INTERPLAYS];

/** The interplays of a server's members. */
export const interplaysOf = ({ flaws, variants }: Pick<Server, 'flaws' | 'variants'>): readonly Interplay[] =>
  INTERPLAYS.filter((interplay) =>
    interplay.flaws.some(
      (flaw) =>
        flaws.includes(flaw) &&
        [...flaws, ...variants].some((name) => name !== flaw && interplay.beside.includes(name)),
    ),
  );
