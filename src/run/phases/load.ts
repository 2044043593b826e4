import { duration } from '../../base/kernel/format.js';
import type { LoadPlan, PlannedProfile } from '../../drive/profiles/plan-load.js';
import { leftOutSentences } from '../../outcome/words/reasons.js';
import { needsLoad } from '../select.js';
import { costLine, costWords, labelled, NO_COST, type Outlook, type Phase } from './phase.js';

const profiles = () => import('../load-profiles.js');

/** Runs the load profiles of all plans, with the keys in parallel. */
export const loadPhase: Phase = {
  name: 'load',
  wanted: needsLoad,
  cost: async ({ request, suites, load }) => {
    if (!load) return NO_COST;
    const { secondsAfterSuites } = await profiles();
    const waits = secondsAfterSuites(request, load, suites);
    return { requests: load.requests, seconds: load.seconds + waits, more: load.more };
  },
  lines: async (outlook) => (outlook.load ? loadLines(outlook, outlook.load) : []),
  begin: (run) => ({
    perform: async () => {
      const { journal } = run;
      const received = await run.received();
      journal.append({ type: 'phase', phase: 'load', at: Date.now() });
      const { runProfiles } = await profiles();
      await runProfiles({ ...run, ...received });
      return null;
    },
  }),
};

async function loadLines(
  { request, suites, latencyMs }: Outlook,
  load: LoadPlan,
): Promise<readonly string[]> {
  const { profiles: planned } = load;
  const { questionLines } = await import('./question-lines.js');
  const { secondsAfterSuites } = await profiles();
  const { target } = request;
  const questions = questionLines(load, target, latencyMs === 0 ? undefined : latencyMs);
  const waits = secondsAfterSuites(request, load, suites);
  const isOther = ({ profile }: PlannedProfile): boolean =>
    questions.length === 0 || profile === 'ban' || profile === 'day-quota';
  const left = leftOutSentences(load).map((text) => labelled('', `left out: ${text}`));
  if (planned.length === 0) return [labelled('load', 'none'), ...left];
  return [
    labelled('load', `${costWords(load)}; all plans in parallel`),
    ...(waits > 0
      ? [
          labelled(
            '',
            `the ${target.suiteKey} key begins ${duration(waits * 1000)} after the suites, which use it`,
          ),
        ]
      : []),
    ...questions,
    ...planned.filter(isOther).map((each) => costLine(each.key, each.profile, each)),
    ...left,
  ];
}
