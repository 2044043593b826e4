import { join } from 'node:path';
import type { Taken } from '../../loadkit/fleet/take-order.js';
import { openRecords } from '../../loadkit/outputs/load-records.js';
import { counted, sum } from '../../base/kernel/format.js';
import { FILES } from '../../log/files.js';
import { executeCapacity } from '../execute-capacity.js';
import { lockCapacityKeys, originOf, planCapacityRun } from '../plan-capacity-run.js';
import type { Beat } from './crew.js';

interface SliceOptions {
  readonly beat: Beat;
  readonly signal: AbortSignal;
  /** Folder for the log of the part. */
  readonly directory: string;
  readonly run: string;
  /** New file for the part's requests; none if absent. */
  readonly out?: string | undefined;
  readonly say: (text: string) => void;
}

/** Sends the slice of a worker or agent, and hands in its log; returns a short summary. */
export async function sendSlice(
  { order, scenario, target }: Extract<Taken, { ok: true }>,
  { beat, signal: ended, directory, run, out, say }: SliceOptions,
): Promise<string> {
  const { slice, readOnly, otlp } = order;
  const signal = AbortSignal.any([ended, beat.over]);
  try {
    const plan = planCapacityRun({
      target,
      scenario,
      slice,
      readOnly,
      command: 'petstore-conformance agent',
    });
    using _ = await lockCapacityKeys(plan);
    const records = await openRecords({ out, otlp: otlp ?? undefined, isPart: true }, originOf(plan, run));
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
        if (record.type !== 'second') return;
        beat.second(record);
        records?.second(record);
      },
      onFinished: records?.finished,
    });
    for (const text of (await records?.close()) ?? []) say(text);
    await beat.give(join(directory, FILES.log));
    const sent = sum(log.capacity?.phases ?? [], ({ operations }) =>
      sum(operations, (operation) => operation.sent),
    );
    const how = log.footer?.complete
      ? 'sent'
      : `ended early, because ${beat.over.aborted ? beat.why() : (log.footer?.reason ?? 'it was stopped')};`;
    return `${how} ${counted(sent, 'request')}`;
  } catch (error) {
    if (error instanceof DOMException) return `nothing was sent, because ${beat.why()}`;
    const message = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
    await beat.refuse(`cannot send: ${message}`, ended);
    return `nothing was sent: ${message}`;
  }
}
