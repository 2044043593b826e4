import { jobFor } from '../../loadkit/fleet/order.js';
import { mergeParts } from '../../loadkit/fleet/merge.js';
import { headerOf } from '../../log/header.js';
import type { LogRecord } from '../../log/record.js';
import { kit } from '../../base/kernel/package.js';
import type { CapacityRunPlan } from '../plan-capacity-run.js';
import { newCourse } from './course.js';
import type { Crew } from './crew.js';
import { gather, GRACE_MS, prepare, send, stop } from './steps.js';

export interface FleetOptions {
  readonly crew: Crew;
  /** Time limit for senders to join, ms. */
  readonly waitMs: number;
  readonly whole: CapacityRunPlan;
  readonly slices: readonly CapacityRunPlan[];
  readonly scenarioText: string;
  readonly readOnly: boolean;
  /** Address for metrics of every sender; null for none. */
  readonly otlp: string | null;
  readonly secret: string | null;
  readonly directory: string;
  readonly signal: AbortSignal;
  readonly onRecord: (record: LogRecord) => void;
  readonly say: (text: string) => void;
}

/**
 * Distributes a scenario's slices to a crew, starts all at one moment, and returns the merged log. Names a
 * sender that is lost, late or slow, which makes the whole inconclusive.
 */
export async function runFleet(options: FleetOptions): Promise<readonly LogRecord[]> {
  const { crew, waitMs, whole, slices, directory, signal, onRecord, say } = options;
  const { request } = whole.run;
  const { scenario, phases } = whole.capacity;
  const course = newCourse(crew, directory, phases.at(-1)?.endMs ?? 0);
  const onAbort = (): void => {
    course.finish('interrupted');
    crew.tell({ step: 'stop' });
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const header = headerOf(request);
  onRecord(header);
  let beginsAt = 0;
  try {
    const refused = await crew.handOut(jobsOf(options));
    if (refused) course.obstruct(refused);
    await gather(crew, course, waitMs, say);
    await prepare(crew, course, request.target.http.timeoutMs);
    beginsAt = await send(crew, course, options);
    await stop(crew, course);
  } finally {
    signal.removeEventListener('abort', onAbort);
    await crew.close();
  }
  const end = course.end();
  return mergeParts(course.parts, {
    header,
    scenario,
    count: slices.length,
    beginsAt,
    ended: end?.kind === 'ended' ? end.why : null,
    aborted: end?.kind === 'ended' && end.isOwnRule,
    problems: course.problems,
    senders: course.senders(),
    ...(end?.kind === 'obstacle' && { obstacle: end.obstacle }),
  });
}

function jobsOf({ whole, slices, scenarioText, readOnly, otlp, secret, waitMs }: FleetOptions) {
  const { run, target } = whole.run.request;
  const issuedAt = Date.now();
  const times = { issuedAt, expiresAt: issuedAt + waitMs + GRACE_MS };
  const common = {
    kit: kit().version,
    run,
    target,
    scenario: scenarioText,
    readOnly,
    otlp,
    secret,
    ...times,
  };
  return slices.map(({ capacity: { slice, keys } }) => jobFor({ ...common, slice, keys }));
}
