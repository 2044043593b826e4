import { look } from '../preflight.js';
import { NO_COST, type Phase } from './phase.js';

/** The first request of a run, which the suites need anyway: whether it can start, and facts on the target. */
export const preflightPhase: Phase = {
  name: 'preflight',
  wanted: () => true,
  cost: () => NO_COST,
  begin: (run) => ({
    perform: async () => {
      const { journal } = run;
      journal.append({ type: 'phase', phase: 'preflight', at: Date.now() });
      const found = await look(run, journal);
      if (!found.ok) return found.obstacle;
      journal.append({ type: 'preflight', facts: found.facts });
      return null;
    },
  }),
};
