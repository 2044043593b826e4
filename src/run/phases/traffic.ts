import { loadLedger } from '../../base/interface/ledger.js';
import { judgeSuitesTraffic } from '../../drive/suite/judge-traffic.js';
import { needsSuites } from '../select.js';
import { NO_COST, type Phase } from './phase.js';

/** Judges rows of load by what the suites received. Sends nothing. Comes after load, whose findings are the stronger ones. */
export const trafficPhase: Phase = {
  name: 'traffic',
  wanted: (request) => needsSuites(loadLedger().requirements, request),
  cost: () => NO_COST,
  begin: (run) => ({
    perform: async () => {
      judgeSuitesTraffic((await run.received()).known, run.request, run.journal);
      return null;
    },
  }),
};
