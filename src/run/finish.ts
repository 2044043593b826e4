import { writeFileSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { shellWord } from '../base/kernel/visible.js';
import { compareResults } from '../outcome/acceptance/compare.js';
import { attestationOf } from '../outcome/acceptance/attestation.js';
import { certificateJson, makeCertificate, certificationOf } from '../outcome/acceptance/certificate.js';
import type { Baseline } from '../outcome/acceptance/baseline.js';
import { exitCodeWithBaseline, judgeBaseline } from '../outcome/results/judge-baseline.js';
import { fileSha256 } from '../outcome/acceptance/verify-certificate.js';
import { EXIT_CODES, exitCodeOf } from '../judge/verdict.js';
import { resultsOf, type Results } from '../outcome/results/results.js';
import { rowsOfSides } from '../base/interface/ledger.js';
import type { RunLog } from '../log/run-log.js';
import { FILES } from '../log/files.js';
import { counted } from '../base/kernel/format.js';
import { safeText, wrapped } from '../outcome/words/safe-text.js';
import type { LogHeader } from '../log/record.js';
import { hasFullWindows } from '../outcome/words/bounds.js';
import { asStarted } from '../outcome/words/as-started.js';
import { shownPath } from './report-dir.js';
import { isFile } from '../base/kernel/places.js';
import { linkFrom } from '../report/pages/compare-page.js';
import type { JudgeOptions, RunHost } from './judge-target.js';
import { publish, warningOf } from './write-reports.js';

/** Inputs for the end of a run. */
interface FinishOptions
  extends Pick<JudgeOptions, 'before' | 'baseline' | 'properties'>, Pick<RunHost, 'reporter' | 'io'> {
  readonly log: RunLog;
  readonly directory: string;
}

/** Writes a run's reports, prints the summary, and returns the exit code and results. */
export async function finishRun({ log, directory, before, baseline, properties, reporter, io }: FinishOptions) {
  const results = resultsOf(log, rowsOfSides(log.header.scope.sides));
  const comparison = before ? compareResults(before.results, results) : null;
  const beside = comparison && { ...comparison, ...pageBeside(directory, before) };
  const { document, warnings } = publish(directory, log, { comparison: beside, properties }, io.env);
  /** `comparison`: with the newest earlier run; null for none. */
  const finished = { code: exitCodeOf(results), results, document, log, comparison };
  const next = asStarted(nextCommand(results, log.header, shownPath(directory)), process.argv[1] ?? '');
  // The next command is always the last line.
  const isFollowed = baseline !== null || log.header.acceptance?.certificate === true;
  reporter.finish(document, log, {
    report: shownPath(join(directory, FILES.page)),
    todo: shownPath(join(directory, FILES.todo)),
    ...(next !== null && !isFollowed && { next }),
  });
  const say = (text: string) =>
    io.err.write(
      `${text
        .split('\n')
        .map((part) => safeText(part, true))
        .join('\n')}\n`,
    );
  for (const warning of warnings) say(`warning         ${warning}`);
  // The obstacle was reported already, and implies that nothing is certified.
  if (results.obstacle) return finished;
  const isCertified = log.header.acceptance?.certificate ? await certify(results, log, directory, say) : true;
  const code = baseline ? withBaseline(results, baseline, say) : finished.code;
  if (isFollowed && next !== null) say(`\nnext            ${safeText(next, true)}`);
  // A requested certificate that is missing is no success, even with a good verdict.
  return { ...finished, code: code === 0 && !isCertified ? EXIT_CODES.inconclusive : code };
}

/** Returns the address of an earlier run's page, from this run's; empty where that run has none. */
function pageBeside(directory: string, before: FinishOptions['before']): { readonly place?: string } {
  const page = before && join(before.directory, FILES.page);
  return page && isFile(page) ? { place: linkFrom(join(directory, FILES.page), page) } : {};
}

async function certify(results: Results, log: RunLog, directory: string, say: (text: string) => void) {
  const made = makeCertificate(results, log, await fileSha256(join(directory, FILES.log)));
  /** A reason or an untested part may quote the target. */
  const tell = (label: string, text: string) => wrapped(label.padEnd(16), safeText(text, true)).forEach(say);
  say('');
  if (made.kind === 'refusal') {
    made.reasons.forEach((reason, place) => tell(place === 0 ? 'no certificate' : '', reason));
    return false;
  }
  const [certificate, attestation] = [join(directory, FILES.certificate), join(directory, FILES.attestation)];
  const failed = warningOf(shownPath(certificate), () => {
    writeFileSync(certificate, certificateJson(made));
    writeFileSync(attestation, certificateJson(attestationOf(made, results)));
  });
  if (failed !== null) {
    tell('no certificate', failed);
    return false;
  }
  say(`certificate     ${shownPath(certificate)}`);
  say(`                ${shownPath(attestation)}, ready to sign`);
  tell('certifies', made.statement);
  tell('valid until', made.validUntil ?? '');
  tell('covers', made.covers.join('; '));
  tell('not covered', made.notCovered.join('; ') || 'nothing');
  return true;
}

function withBaseline(results: Results, baseline: Baseline, say: (text: string) => void): number {
  const judgement = judgeBaseline(results, baseline.accepted, new Date().toISOString().slice(0, 10));
  say(
    judgement.ok
      ? `\nbaseline        met: ${counted(judgement.accepted.length, 'accepted deviation')} occurred, and no other`
      : '\nbaseline        not met',
  );
  for (const message of [...judgement.problems.map((problem) => problem.message), ...judgement.remarks])
    wrapped(''.padEnd(16), safeText(message, true)).forEach((text) => say(text));
  const { own } = results;
  // A baseline covers only the interface's requirements.
  if (own && (own.problems.length > 0 || (own.decide && own.verdict !== 'conformant'))) return exitCodeOf(results);
  return exitCodeWithBaseline(judgement, results.verdict);
}

/** Folder in which `--last-failed` finds the newest run. */
const REPORTS = 'reports';
/** Options that narrow a run. */
const SELECTION = / --(?:only|requirement|profile|plan|replay) (?:'[^']*'|\S+)/g;

/** Returns the next command after a verdict; null if the run could not start, whose obstacle has a hint. */
export function nextCommand(results: Results, header: LogHeader, directory: string): string | null {
  const { verdict, scope, complete, obstacle, requirements } = results;
  const { acceptance } = header;
  const command = header.command.replaceAll(/ --last-failed\b/g, '');
  const isFound = dirname(directory) === REPORTS;
  if (obstacle || results.capacity) return null;
  if (verdict === 'error') return `${header.command} --verbose`;
  if (!complete) return header.command;
  const accepted = new Set(results.accepted?.map(({ requirement }) => requirement));
  const open = ['failed', 'inconclusive'].flatMap((wanted) =>
    requirements.filter(({ id, outcome }) => outcome === wanted && !accepted.has(id)),
  );
  if (results.sides) return open[0] ? `${PROGRAM} requirements ${open[0].id}` : null;
  // A certificate needs the whole run, which only another whole run can earn.
  if (open[0])
    return isFound
      ? `${command.replaceAll(/ --certify\b/g, '')} --last-failed`
      : `${PROGRAM} requirements ${open[0].id}`;
  if (scope.selection?.lastFailed) return command;
  if (scope.selection) return command.replaceAll(SELECTION, '');
  if (acceptance?.certificate)
    return certificationOf(results, header)?.kind === 'certified'
      ? `${PROGRAM} verify ${shellWord(join(directory, FILES.certificate))}`
      : null;
  const history = isFound ? `${PROGRAM} history ${REPORTS}` : null;
  if (acceptance?.baseline) return history;
  // Without a target the embedded server was judged: the next step is one's own.
  if (!/ --(?:target|base-url) /.test(command)) return `${PROGRAM} init`;
  // Runs with short windows or without writes earn no certificate.
  return hasFullWindows(results) && scope.writes && scope.plans.length > 1 ? `${command} --certify` : history;
}

const PROGRAM = 'petstore-conformance';
