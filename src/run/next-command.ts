import { dirname, join } from 'node:path';
import type { LogHeader } from '../log/record.js';
import { certificationOf } from '../acceptance/certificate.js';
import { FILES } from '../report/files.js';
import { hasFullWindows } from '../report/words/bounds.js';
import type { Results } from '../verdict/results.js';
import { shardOf } from '../verdict/shard.js';

/** Where `--last-failed` looks for the newest run. */
const REPORTS = 'reports';

/** What narrows a run to a part. */
const SELECTION = / --(?:only|requirement|profile|plan|replay) (?:'[^']*'|\S+)/g;

/**
 * What whoever has read a run's verdict types next, or null where the run could not start, which says what to do instead:
 * the same again, what was open once more, how that is judged, the whole, the certificate, or how a server is named.
 */
export function nextCommand(results: Results, header: LogHeader, directory: string): string | null {
  const { verdict, scope, complete, obstacle, requirements } = results;
  const { command, acceptance } = header;
  const isFound = dirname(directory) === REPORTS;
  if (obstacle || results.capacity) return null;
  if (verdict === 'error') return `${command} --verbose`;
  if (!complete) return command;
  const accepted = new Set(results.accepted?.map(({ requirement }) => requirement));
  const open = ['failed', 'inconclusive'].flatMap((wanted) =>
    requirements.filter(({ id, outcome }) => outcome === wanted && !accepted.has(id)),
  );
  const shard = shardOf(scope.selection);
  if (shard && !open[0]) return `${PROGRAM} merge ${quoted(directory)} OTHER-PARTS`;
  if (open[0]) return isFound && !shard ? `${command} --last-failed` : `${PROGRAM} requirements ${open[0].id}`;
  if (scope.selection?.lastFailed) return command;
  if (scope.selection) return command.replaceAll(SELECTION, '');
  if (acceptance?.certificate)
    return certificationOf(results, header)?.kind === 'certified'
      ? `${PROGRAM} verify ${quoted(join(directory, FILES.certificate))}`
      : null;
  if (acceptance?.baseline) return isFound ? `${PROGRAM} history ${REPORTS}` : null;
  return hasFullWindows(results) ? `${command} --certify` : `${PROGRAM} run --help`;
}

const PROGRAM = 'petstore-conformance';

const quoted = (path: string): string => (/^[\w./:@-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);
