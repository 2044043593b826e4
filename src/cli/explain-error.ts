import { UserError } from '../contract/errors.js';

/** Exit code of usage and configuration errors, and of kit faults. */
export const EXIT_USAGE = 2;

/** Describes an error in lines. One that the caller cannot fix is a kit fault; `verbose` shows the stack. */
export function explainError(error: unknown, verbose: boolean): readonly string[] {
  const known = error instanceof UserError ? error : onTheDisk(error);
  if (known !== null)
    return [
      `${known.fault.padEnd(16)}${known.where}${known.message}`,
      ...known.details.map(([label, text]) => `${label.padEnd(16)}${text}`),
      `what to do      ${known.hint}`,
      `code            ${known.code}`,
      ...stackOf(error, verbose),
    ];
  const message = error instanceof Error ? error.message : String(error);
  return [
    `kit             ${message}`,
    'what to do      This is a kit fault, not a fault of the target. Run again with --verbose and report the output.',
    ...stackOf(error, verbose),
  ];
}

/** Errors of a disk, by the system's code. */
const DISK: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'a file would become too large'],
  ['EROFS', 'the disk is read-only'],
]);

/** Converts a disk error to one for users; null for others. */
function onTheDisk(error: unknown): UserError | null {
  const refusal = DISK.get((error as NodeJS.ErrnoException | null)?.code ?? '');
  return refusal === undefined
    ? null
    : new UserError(
        'usage',
        'disk',
        `Nothing more can be written: ${refusal}.`,
        'Free some space, or name a folder on another disk with --report-dir (and TMPDIR for temporary files).',
      );
}

const stackOf = (error: unknown, verbose: boolean): readonly string[] =>
  verbose && error instanceof Error && error.stack ? error.stack.split('\n') : [];
