import { dirname } from 'node:path';
import type { LogHeader } from '../log/record.js';
import { hasFullWindows } from '../report/wording/bounds.js';
import type { Results } from '../verdict/results.js';

/** Where `--last-failed` looks for the newest run. */
const REPORTS = 'reports';

/**
 * What whoever has read a run's verdict types next, or null: what was open once more, the half that was left out, or the
 * certificate.
 */
export function nextCommand(
  { counts, scope, ...results }: Results,
  header: LogHeader,
  directory: string,
): string | null {
  const { command } = header;
  if (counts.error > 0 || results.obstacle) return null;
  if (counts.failed + counts.inconclusive > 0)
    return dirname(directory) === REPORTS ? `${command} --last-failed` : null;
  if (scope.selection?.lastFailed) return command;
  if (scope.selection?.only) return command.replace(/ --only (?:suites|load)\b/, '');
  if (scope.selection || header.acceptance?.certificate || header.acceptance?.baseline) return null;
  return hasFullWindows(results) ? `${command} --certify` : null;
}
