import type { RunDocument } from '../run-document.js';
import { AMOUNTS } from '../amounts.js';
import { sentenceOf } from './block-text.js';
import { caseGroups, headlineOf } from './cases.js';
import { capital, counted, ended, listedUpTo } from '../../base/kernel/format.js';
import { clip, visible } from '../../base/kernel/visible.js';
import { followsWords } from '../../outcome/words/remarks.js';
import { byReason, isOfTheRun } from '../../outcome/words/reasons.js';
import { gistBlocks } from '../rows/blocks.js';
import type { Fault, RowGroup } from '../rows/row-group.js';
import type { RowView } from '../rows/row-view.js';

/** A remark on a run. GitHub shows at most ten errors and ten warnings of a step. */
interface Annotation {
  readonly level: 'error' | 'warning';
  readonly title: string;
  readonly text: string;
}

/**
 * Returns the workflow commands for GitHub annotations, one line each, and one for each cause: an error for
 * what changes the verdict, a warning for the rest; what is new comes first. Used when GITHUB_ACTIONS is set.
 * Nothing from the target can start a command.
 */
export const annotationsOf = (document: RunDocument): readonly string[] =>
  allOf(document).map(
    ({ level, title, text }) =>
      `::${level} title=${property(title)}::${data(clip(text, AMOUNTS.annotation.characters))}`,
  );

function allOf(document: RunDocument): readonly Annotation[] {
  const { results, own } = document;
  const { cause } = results;
  // The run itself, entries of the baseline, thresholds of a load run, files of own suites.
  const withoutRow = caseGroups(document).flatMap(({ cases }) =>
    cases.flatMap(({ row, id, status, outcome, headline }): readonly Annotation[] => {
      if (row !== undefined) return [];
      if (status !== 'failed' && status !== 'error')
        return outcome === 'warned' ? [warning(id, headline)] : [];
      return [error(id, headline)];
    }),
  );
  if (results.obstacle) return withoutRow;
  const ofTheRun = cause
    ? [error('run', `${ended(capital(cause.text))} ${cause.hint} ${followsWords(cause)}`)]
    : [];
  const ofRows = [document, ...(own ? [own] : [])].flatMap(ofGroup);
  return [
    ...withoutRow,
    ...ofTheRun,
    ...ofRows.filter(({ level }) => level === 'error'),
    ...ofRows.filter(({ level }) => level === 'warning'),
  ];
}

const error = (title: string, text: string): Annotation => ({ level: 'error', title, text });
const warning = (title: string, text: string): Annotation => ({ level: 'warning', title, text });

function ofGroup({ kitFaults, faults, open, blocked, warnings }: RowGroup): readonly Annotation[] {
  const behind = new Set(faults.flatMap(({ blocks }) => blocks.map(({ id }) => id)));
  const others = byReason(blocked.filter(({ id }) => !behind.has(id)));
  return [
    ...faults.map((fault) => error(fault.lead.id, faultText(fault))),
    ...kitFaults.map((row) => error(row.id, headlineOf(row))),
    ...[...open, ...others].flatMap(({ code, text, requirements }) => {
      // An inconclusive recommendation does not change the verdict, and the run's cause is said once.
      const musts = requirements.filter(({ level }) => level === 'must');
      const [first, ...more] = musts;
      if (first === undefined || isOfTheRun(code)) return [];
      const words = `could not be determined: ${text}`;
      return [
        more.length === 0
          ? error(first.id, words)
          : error(counted(musts.length, 'requirement'), `${words} (${namesOf(musts)})`),
      ];
    }),
    ...warnings.map((fault) => warning(fault.lead.id, faultText(fault))),
  ];
}

const faultText = (fault: Fault): string =>
  (fault.lead.outcome === 'warned' ? 'warning: ' : '') +
  sentenceOf(gistBlocks(fault, AMOUNTS.testCase.groups, false));

const namesOf = (rows: readonly RowView[]): string =>
  listedUpTo(
    rows.map(({ id }) => id),
    AMOUNTS.annotation.names,
  );

const data = (text: string): string =>
  visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
