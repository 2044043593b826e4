import type { OperationName } from '../../contract/types.js';
import { wasRefused } from '../../limits/answers.js';
import { steadyDecided, steadyPlan } from './schedule.js';
import { steadyRefusals } from './steady-run.js';
import type { Sample } from '../../limits/sample.js';
import type { SteadySeries } from '../../limits/series.js';
import { endings, isOver, type Lab, progressEvery } from '../../load/lab.js';
import { collector, type KeySession } from '../../load/key-session.js';
import { paced } from '../../load/paced.js';

/** So many refusals in a row are no pacer's, whatever their times say. */
const MOST_IN_A_ROW = 10;

/** Creations at these places, so that each operation is seen to use what comes back: few, since each leaves an animal behind. */
const CREATIONS: ReadonlySet<number> = new Set([5, 15, 25, 35]);

/** Whether going on is pointless: refused several times in a row, and too late for a strict pacer to have done so. */
function isDecided(samples: readonly Sample[], session: KeySession): boolean {
  if (!steadyDecided(samples)) return false;
  if (samples.slice(-MOST_IN_A_ROW).every(wasRefused)) return true;
  // What it holds is the judge's to know: here it is enough that nothing excuses the refusal.
  return steadyRefusals({ samples }, session.figures, 0, session.seen().quickestMs).some(
    ({ strictPacer }) => !strictPacer,
  );
}

/** 95 % of the plan on an absolute schedule, after two windows without a request, as `SteadySeries` describes it. */
export async function steady(session: KeySession, lab: Lab): Promise<SteadySeries | null> {
  const { figures, key } = session;
  const { signal, clock } = lab;
  const longest = steadyPlan(figures, null, null);
  const lastAnswer = session.samples().reduce((latest, { answeredAt }) => Math.max(latest, answeredAt), 0);
  const from = Math.max(lab.now(), lastAnswer + longest.silenceMs);
  if (!(await lab.pause(from, `two windows of the ${key} plan without a request, before a run at 95 % of it`)))
    return null;

  const sink = collector('steady');
  const { samples } = sink;
  const reads: readonly OperationName[] = lab.operations.filter((operation) => operation !== 'createPet');
  const creates = lab.operations.includes('createPet');
  let requests = longest.requests;
  const tell = progressEvery(lab, 'steady', key, () => `${samples.length} of ${requests} sent`);
  await paced(
    session,
    {
      from: lab.now(),
      gapMs: longest.gapMs,
      // A run of 95 % is one only if it makes up for what this machine delays; what comes too soon then excuses a refusal.
      mostLateMs: Infinity,
      requests: () => requests,
      operation: (place) =>
        creates && CREATIONS.has(place) ? 'createPet' : (reads[place % reads.length] ?? 'listPets'),
      stopsAt: (sample) => {
        if (samples.length === 1) requests = steadyPlan(figures, sample, clock()).requests;
        tell();
        return isDecided(samples, session) || (isOver(sample) && !wasRefused(sample));
      },
    },
    sink,
    lab,
  );
  const [first] = samples;
  const fault = endings(samples).find((sample) => !wasRefused(sample));
  const end =
    fault === undefined
      ? signal.aborted
        ? 'interrupted'
        : 'ceiling'
      : fault.status === 0
        ? 'transport'
        : 'unexpected-status';
  return { silentMs: (first?.sentAt ?? from) - lastAnswer, gapMs: longest.gapMs, samples, end };
}
