import { loadLedger } from '../../base/interface/ledger.js';
import { isJudgedByTraffic } from '../../drive/suite/traffic-rows.js';
import { isSelected } from '../../log/header.js';
import { needsSuites } from '../select.js';
import { NO_COST, type Phase } from './phase.js';

/**
 * Judges rows of load by what the suites received. Sends nothing. Comes after load, whose findings are the
 * stronger ones.
 */
export const trafficPhase: Phase = {
  name: 'traffic',
  wanted: (request) =>
    needsSuites(request) &&
    loadLedger().requirements.some((row) => isSelected(request, row.id) && isJudgedByTraffic(row)),
  cost: () => NO_COST,
  begin: (run) => ({
    perform: async () => {
      const { judgeSuitesTraffic } = await import('../../drive/suite/judge-traffic.js');
      judgeSuitesTraffic((await run.received()).known, run.request, run.journal);
      return null;
    },
  }),
};
