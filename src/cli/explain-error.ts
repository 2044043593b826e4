import { ConfigError } from '../contract/config-error.js';
import { LogError } from '../log/read.js';
import { ResultsError } from '../report/across/parse-results.js';
import { UnknownNameError } from '../reference/registry.js';
import { UsageError } from '../run/usage-error.js';

/** The exit code of usage and configuration errors, and of faults of the kit. */
export const EXIT_USAGE = 2;

/**
 * What went wrong, whose affair it is and what to do next, as lines. Errors that are not the caller's are faults of the
 * kit; their stack is shown with `verbose` only.
 */
export function explainError(error: unknown, verbose: boolean): readonly string[] {
  if (error instanceof ConfigError) {
    const place = error.file === undefined ? '' : `${error.file}${error.line === undefined ? '' : `:${error.line}`}: `;
    return [
      `configuration   ${place}${error.message}`,
      ...(error.expected === undefined ? [] : [`expected        ${error.expected}`]),
      ...(error.nearest === undefined ? [] : [`did you mean    ${error.nearest}`]),
      `what to do      ${error.hint}`,
      `code            ${error.code}`,
      ...stackOf(error, verbose),
    ];
  }
  if (error instanceof UsageError)
    return [
      `usage           ${error.message}`,
      `what to do      ${error.hint}`,
      `code            ${error.code}`,
      ...stackOf(error, verbose),
    ];
  if (error instanceof LogError || error instanceof ResultsError)
    return [
      `usage           ${error.message}`,
      'what to do      Name the folder of a run, or its file, that this version of the kit has written and nobody has changed.',
      `code            ${error.code}`,
      ...stackOf(error, verbose),
    ];
  if (error instanceof UnknownNameError)
    return [
      `usage           ${error.message}`,
      'what to do      petstore-conformance serve --list names them all.',
      `code            ${error.code}`,
      ...stackOf(error, verbose),
    ];
  const disk = DISK.get((error as NodeJS.ErrnoException | null)?.code ?? '');
  if (disk !== undefined)
    return [
      `usage           Nothing more can be written: ${disk}.`,
      'what to do      Make room, or name a folder elsewhere with --report-dir (and TMPDIR for what is put aside meanwhile).',
      'code            disk',
      ...stackOf(error, verbose),
    ];
  const message = error instanceof Error ? error.message : String(error);
  return [
    `kit             ${message}`,
    'what to do      This is a fault of the kit, not of the target. Run again with --verbose and report what it shows.',
    ...stackOf(error, verbose),
  ];
}

/** What a disk refuses, by the system's code. */
const DISK: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the quota of the disk is used up'],
  ['EFBIG', 'a file would become larger than it may'],
  ['EROFS', 'the disk can only be read'],
]);

const stackOf = (error: unknown, verbose: boolean): readonly string[] =>
  verbose && error instanceof Error && error.stack ? [error.stack] : [];
