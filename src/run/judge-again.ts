import { clientRows } from '../base/interface/requirement-ids.js';
import { judgeClient } from '../judge/clients/judge-client.js';
import { judgeService } from '../judge/service/judge-service.js';
import type { RunLog } from '../log/run-log.js';

/**
 * Returns a log with what its traffic shows, if the run was killed before it judged: a proxy, a client's run
 * or `judge`. Other logs come back as they are. Bodies that the log does not keep whole are not judged.
 */
export function judgedAgain(log: RunLog): RunLog {
  const { footer, traffic, header } = log;
  if (footer !== null || traffic.length === 0) return log;
  const { sides = [], selected } = header.scope;
  const rows = clientRows.filter((row) => selected?.includes(row) ?? true);
  return {
    ...log,
    findings: [
      ...(sides.includes('service') ? judgeService(traffic) : []),
      ...(sides.includes('client') ? judgeClient(traffic, rows) : []),
    ],
  };
}
