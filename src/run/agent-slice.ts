import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Taken } from '../capacity/fleet/take-order.js';
import { FILES } from '../report/files.js';
import type { Beat } from './agent-beat.js';
import { executeCapacity } from './execute-capacity.js';
import { lockCapacityKeys, planCapacityRun } from './plan-capacity-run.js';

/** Sends a slice as `load --slice` would, and gives its log to the coordinator; says in a few words what came of it. */
export async function sendSlice(
  { order, scenario, target }: Extract<Taken, { ok: true }>,
  { beat, signal: ended }: { readonly beat: Beat; readonly signal: AbortSignal },
): Promise<string> {
  const { slice, readOnly } = order;
  const directory = mkdtempSync(join(tmpdir(), 'petstore-agent-'));
  const signal = AbortSignal.any([ended, beat.over]);
  let unlock: (() => void) | undefined;
  try {
    const plan = planCapacityRun({ target, scenario, slice, readOnly, command: 'petstore-conformance agent' });
    unlock = lockCapacityKeys(plan);
    await beat.until('prepare');
    beat.tell({ step: 'preparing' });
    const log = await executeCapacity({
      ...plan.run,
      plan: plan.capacity,
      directory,
      begin: async () => {
        beat.tell({ step: 'ready' });
        const { beginsAt } = await beat.until('go');
        const startAt = (beginsAt ?? 0) - beat.offsetMs;
        beat.tell({ step: 'sending', startAt });
        return { startAt, beginsAt: beginsAt ?? 0 };
      },
      signal,
      onRecord: (record) => {
        if (record.type === 'second') beat.second(record);
      },
    });
    await beat.give(gzipSync(readFileSync(join(directory, FILES.log))).toString('base64'));
    const sent = log.capacity?.phases.reduce(
      (sum, { operations }) => sum + operations.reduce((total, operation) => total + operation.sent, 0),
      0,
    );
    const how = log.footer?.complete
      ? 'sent'
      : `ended early, because ${beat.over.aborted ? beat.why() : (log.footer?.reason ?? 'it was ended')};`;
    return `${how} ${sent ?? 0} requests`;
  } catch (error) {
    if (error instanceof DOMException) return `nothing was sent, because ${beat.why()}`;
    const message = error instanceof Error ? error.message : String(error);
    beat.tell({ step: 'refused', reason: `cannot send: ${message}` });
    await beat.untilOver(ended);
    return `nothing was sent: ${message}`;
  } finally {
    unlock?.();
    rmSync(directory, { recursive: true, force: true });
  }
}
