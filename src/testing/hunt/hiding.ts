import type { Flaw } from '../../reference/index.js';
import type { RequirementId } from '../../contract/types.js';
import { walk } from '../../reference/walking.js';
import { declaredHidden } from './declared-hidden.js';
import { membersOf } from './servers.js';
import type { Server } from './servers.js';

/** What a server answers on the walk, line by line. */
async function transcriptOf(server: Server): Promise<readonly string[]> {
  const lines: string[] = [];
  const asOf = membersOf(server).find((member) => member.asOf !== undefined)?.asOf;
  await walk(server, asOf, (line) => lines.push(line) > 0);
  return lines;
}

/**
 * Whether a flaw cannot be seen in company: the server answers to all of the walk as it does without the flaw, or the
 * other is declared to hide it. The walk shows each flaw on its own (a test sees to that), and the kit has no part in it.
 */
export async function isHidden(server: Server, flaw: Flaw, rows: readonly RequirementId[]): Promise<boolean> {
  if (declaredHidden(server, flaw, rows)) return true;
  const without = { ...server, flaws: server.flaws.filter((name) => name !== flaw.name) };
  const [together, apart] = await Promise.all([transcriptOf(server), transcriptOf(without)]);
  return together.every((line, at) => line === apart[at]);
}
