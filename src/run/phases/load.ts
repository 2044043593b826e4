import { counted, duration } from '../../base/kernel/format.js';
import type { LoadPlan } from '../../drive/profiles/plan-load.js';
import { leftOutSentences } from '../../outcome/words/reasons.js';
import { needsLoad } from '../select.js';
import { costLine, labelled, NO_COST, type Phase } from './phase.js';

const profiles = () => import('../load-profiles.js');

/** Runs the load profiles of all plans, with the keys in parallel. */
export const loadPhase: Phase = {
  name: 'load',
  wanted: needsLoad,
  cost: async ({ request, suites, load }) => {
    if (!load) return NO_COST;
    const { secondsAfterSuites } = await profiles();
    return { requests: load.requests, seconds: load.seconds + secondsAfterSuites(request, load, suites) };
  },
  lines: ({ load }) => (load ? loadLines(load) : []),
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

function loadLines(load: LoadPlan): readonly string[] {
  const { profiles: planned, requests, seconds } = load;
  const left = leftOutSentences(load).map((text) => labelled('', `left out: ${text}`));
  if (planned.length === 0) return [labelled('load', 'none'), ...left];
  return [
    labelled(
      'load',
      `at most ${counted(requests, 'request')}, about ${duration(seconds * 1000)}, all plans in parallel`,
    ),
    ...planned.map((each) => costLine(each.key, each.profile, each)),
    ...left,
  ];
}
