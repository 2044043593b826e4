import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attestationOf } from '../outcome/acceptance/attestation.js';
import { certificateJson, makeCertificate } from '../outcome/acceptance/certificate.js';
import { exitCodeWithBaseline, remarksOnEntries } from '../outcome/results/judge-baseline.js';
import { fileSha256 } from '../outcome/acceptance/verify-certificate.js';
import { EXIT_CODES, exitCodeOf } from '../judge/verdict.js';
import type { Results } from '../outcome/results/results.js';
import type { RunLog } from '../log/run-log.js';
import { FILES } from '../log/files.js';
import { counted } from '../base/kernel/format.js';
import { safeText, wrapped } from '../outcome/words/safe-text.js';
import type { LogHeader } from '../log/record.js';
import { nextStep, stepWords } from './next-step.js';
import { shownPath } from './report-dir.js';
import type { JudgeOptions, RunHost } from './judge-target.js';
import { publish, warningOf } from './write-reports.js';
import type { ReportPlaces } from '../report/run-reporter.js';

interface FinishOptions
  extends Pick<JudgeOptions, 'before' | 'properties'>, Pick<RunHost, 'reporter' | 'io'> {
  readonly log: RunLog;
  readonly directory: string;
}

/** Writes a run's reports, prints the summary, and returns the exit code and results. */
export async function finishRun({ log, directory, before, properties, reporter, io }: FinishOptions) {
  const { document, comparison, warnings } = publish(directory, log, { before, properties }, io.env);
  const { results } = document;
  const { certificate = false, baseline = false } = log.header.acceptance ?? {};
  /** `comparison`: with the newest earlier run; null for none. */
  const finished = { code: exitCodeOf(results), results, document, log, comparison };
  const { next, ...files } = reportPlaces(document, log.header, directory);
  // The next command is always the last line.
  const isFollowed = baseline || certificate;
  reporter.finish(document, log, { ...files, ...(next !== undefined && !isFollowed && { next }) });
  const say = (text: string) =>
    io.err.write(
      `${text
        .split('\n')
        .map((part) => safeText(part, true))
        .join('\n')}\n`,
    );
  warnings.forEach(say);
  // The obstacle was reported already, and implies that nothing is certified.
  if (results.obstacle) return finished;
  const isCertified = certificate ? await certify(results, log, directory, say) : true;
  const code = results.baseline ? withBaseline(results, results.baseline, say) : finished.code;
  if (isFollowed && next !== undefined) say(`\nnext            ${safeText(next, true)}`);
  // A requested certificate that is missing is no success, even with a good verdict.
  return { ...finished, code: code === 0 && !isCertified ? EXIT_CODES.inconclusive : code };
}

export function reportPlaces(
  document: Parameters<typeof nextStep>[0],
  header: LogHeader,
  directory: string,
): ReportPlaces {
  const next = stepWords(nextStep(document, header, shownPath(directory)));
  return {
    report: shownPath(join(directory, FILES.page)),
    todo: shownPath(join(directory, FILES.todo)),
    ...(next !== null && { next }),
  };
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
  return true;
}

function withBaseline(
  results: Results,
  baseline: NonNullable<Results['baseline']>,
  say: (text: string) => void,
): number {
  const { verdict, accepted = [], own } = results;
  say(
    baseline.met
      ? `\nbaseline        met: ${counted(accepted.length, 'accepted deviation')} occurred, and no other`
      : '\nbaseline        not met',
  );
  for (const message of [
    ...baseline.problems.map((problem) => problem.message),
    ...remarksOnEntries(accepted),
  ])
    wrapped(''.padEnd(16), safeText(message, true)).forEach((text) => say(text));
  // A baseline covers only the interface's requirements.
  if (own && (own.problems.length > 0 || (own.decide && own.verdict !== 'conformant')))
    return exitCodeOf(results);
  return exitCodeWithBaseline(baseline, verdict);
}
