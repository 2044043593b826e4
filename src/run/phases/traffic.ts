import { loadLedger } from '../../base/interface/ledger.js';
import { isJudgedByTraffic } from '../../drive/suite/traffic-rows.js';
import type { Requirement } from '../../base/interface/types.js';
import { needsSuites } from '../select.js';
import { NO_COST, type Phase } from './phase.js';

/** Judges rows of load by what the suites received. Sends nothing. Comes after load, whose findings are the stronger ones. */
export const trafficPhase: Phase = {
  name: 'traffic',
  wanted: (request) => {
    const { requirements: rows } = loadLedger();
    const isSelected = ({ id }: Requirement) => request.selected?.includes(id) ?? true;
    return needsSuites(rows, request) && rows.some((row) => isSelected(row) && isJudgedByTraffic(row));
  },
  cost: () => NO_COST,
  begin: (run) => ({
    perform: async () => {
      const { judgeSuitesTraffic } = await import('../../drive/suite/judge-traffic.js');
      judgeSuitesTraffic((await run.received()).known, run.request, run.journal);
      return null;
    },
  }),
};
