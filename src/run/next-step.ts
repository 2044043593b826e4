import { dirname, join } from 'node:path';
import { listed, lowered } from '../base/kernel/format.js';
import { shellWord } from '../base/kernel/visible.js';
import { FILES } from '../log/files.js';
import type { LogHeader } from '../log/record.js';
import { certificationOf } from '../outcome/acceptance/certificate.js';
import type { RunDocument } from '../report/run-document.js';
import type { RequirementResult, Results } from '../outcome/results/results.js';
import { asStarted } from '../outcome/words/as-started.js';
import { hasFullWindows } from '../outcome/words/bounds.js';
import { remedyOf } from '../outcome/words/reasons.js';
import { REPORTS } from './report-dir.js';

/** What to do after a run: something first without which the command would end as before, and the command. */
interface NextStep {
  readonly first: string | null;
  readonly command: string | null;
}

/** Returns a step in a line, with the command as it can be pasted here; null for none. */
export function stepWords(step: NextStep | null): string | null {
  if (step === null) return null;
  const command = asStarted(step.command);
  if (step.first === null || command === null) return step.first ?? command;
  return `${step.first}, then: ${command}`;
}

/** Options that narrow a run. */
const SELECTION = / --(?:(?:only|requirement|profile|plan|replay) (?:'[^']*'|\S+)|quick(?= |$))/g;

const PROGRAM = 'petstore-conformance';

/** Returns what to do after a verdict; null if the run could not start, whose obstacle has a hint. Pure. */
export function nextStep(
  { results, faults }: Pick<RunDocument, 'results' | 'faults'>,
  header: LogHeader,
  directory: string,
): NextStep | null {
  const { verdict, complete, obstacle, cause, sides } = results;
  const command = header.command.replaceAll(/ --last-failed\b/g, '');
  const isFound = dirname(directory) === REPORTS;
  if (obstacle || results.capacity) return null;
  if (verdict === 'error') return only(`${header.command} --verbose`);
  if (!complete) return only(header.command);
  const open = openRows(results);
  // Reports show the fault of several rows at the one with the plainest evidence.
  const row = faults[0]?.lead ?? open[0];
  const again =
    isFound || row === undefined
      ? `${command.replaceAll(/ --certify\b/g, '')} --last-failed`
      : `${PROGRAM} requirements ${row.id}`;
  if (sides) {
    const first = row?.outcome === 'inconclusive' ? neededFor(open) : null;
    if (first !== null) return { first, command };
    return row ? only(`${PROGRAM} requirements ${row.id}`) : null;
  }
  if (cause) return { first: inAdvance(cause.hint), command: isFound ? again : command };
  // A certificate needs the whole run, which only another whole run can earn.
  if (row) return { first: row.outcome === 'failed' ? null : neededFor(open), command: again };
  const entries = entryStep(results, header.command);
  if (entries !== null) return { first: entries, command: null };
  return only(afterSuccess(results, header, { command, directory, isFound }));
}

const only = (command: string | null): NextStep | null =>
  command === null ? null : { first: null, command };

function openRows({ requirements, accepted = [] }: Results): readonly RequirementResult[] {
  const agreed = new Set(accepted.map(({ requirement }) => requirement));
  return ['failed', 'inconclusive'].flatMap((wanted) =>
    requirements.filter(({ id, outcome }) => outcome === wanted && !agreed.has(id)),
  );
}

/** “Set STG_PRO to another key, and run again.” without its end, which the command says. */
const inAdvance = (hint: string): string => lowered(hint.replace(/(?:,? and run again)?\.$/, ''));

/** Returns what open rows need before another run can judge them; null where a run is all that they need. */
function neededFor(open: readonly RequirementResult[]): string | null {
  // Nothing failed, so what other rows depend on is open too, and its own remedy comes first.
  const remedies = open.flatMap((row) => remedyOf(row) ?? []).filter((text) => !text.startsWith('fix '));
  const [remedy] = remedies;
  return remedy === undefined || remedies.some((text) => /^(?:run|let) /.test(text))
    ? null
    : inAdvance(`${remedy}.`);
}

/** Returns how to correct the entries of a baseline that do not fit any more; null for none. */
function entryStep({ baseline }: Results, command: string): string | null {
  const [, file = 'the baseline'] = / --baseline ('[^']*'|\S+)/.exec(command) ?? [];
  const entriesOf = (kind: 'stale' | 'unmatched'): string | null => {
    const ids = (baseline?.problems ?? []).flatMap((problem) =>
      problem.kind === kind ? (problem.id ?? []) : [],
    );
    return ids.length === 0 ? null : `${ids.length === 1 ? 'entry' : 'entries'} of ${listed(ids)}`;
  };
  const [stale, unmatched] = [entriesOf('stale'), entriesOf('unmatched')];
  if (stale !== null) return `remove the ${stale} from ${file}`;
  return unmatched === null ? null : `correct the ${unmatched} in ${file}`;
}

interface Around {
  readonly command: string;
  readonly directory: string;
  /** True where commands find the run by itself. */
  readonly isFound: boolean;
}

function afterSuccess(
  results: Results,
  header: LogHeader,
  { command, directory, isFound }: Around,
): string | null {
  const { scope } = results;
  if (scope.selection?.lastFailed) return command;
  if (scope.selection) return command.replaceAll(SELECTION, '');
  if (header.acceptance?.certificate)
    return certificationOf(results, header)?.kind === 'certified'
      ? `${PROGRAM} verify ${shellWord(join(directory, FILES.certificate))}`
      : null;
  const history = isFound ? `${PROGRAM} history ${REPORTS}` : null;
  if (header.acceptance?.baseline) return history;
  // Without a target the embedded server was judged: the next step is one's own.
  if (!/ --(?:target|base-url) /.test(command)) return `${PROGRAM} init`;
  // Runs with short windows or without writes earn no certificate.
  return hasFullWindows(results) && scope.writes && scope.plans.length > 1 ? `${command} --certify` : history;
}
