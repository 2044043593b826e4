import { UserError } from '../../base/kernel/errors.js';
import { withCommands } from '../../outcome/words/as-started.js';
import { widthOf, wrap } from '../../report/terminal/lines.js';

/** Exit code of usage and configuration errors, and of kit faults. */
export const EXIT_USAGE = 2;

/**
 * Describes an error in lines. One that the caller cannot fix is a kit fault; `verbose` shows the stack.
 *
 * @param columns of the terminal; a file or a pipe has no bound
 */
export function explainError(error: unknown, verbose: boolean, columns = Infinity): readonly string[] {
  const known = error instanceof UserError ? error : (onTheDisk(error) ?? withoutFiles(error));
  const facts: readonly (readonly [label: string, text: string])[] =
    known === null
      ? [
          ['kit', error instanceof Error ? error.message : String(error)],
          [
            'what to do',
            'This is a kit fault, not a fault of the target. Run again with --verbose and report the output.',
          ],
        ]
      : [
          [known.fault, `${known.where}${known.message}`],
          ...known.details,
          ['what to do', withCommands(known.hint)],
          ['code', known.code],
        ];
  return [
    ...facts.flatMap(([label, text]) =>
      wrapped(text, columns - LABEL).map((piece, at) => `${(at === 0 ? label : '').padEnd(LABEL)}${piece}`),
    ),
    ...stackOf(error, verbose),
  ];
}

const LABEL = 16;
/** Fewest columns of a text next to its label: a narrower terminal breaks the lines itself. */
const ROOM = 24;

const wrapped = (text: string, room: number): readonly string[] =>
  widthOf(text) <= room || room < ROOM ? [text] : wrap(text, room, Infinity, '');

const DISK: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'a file would become too large'],
  ['EROFS', 'the disk is read-only'],
]);

function withoutFiles(error: unknown): UserError | null {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'EMFILE' || code === 'ENFILE'
    ? new UserError(
        'usage',
        'open-files',
        'This process may open no more files.',
        'Raise `ulimit -n` to 1024 or more, and run again.',
      )
    : null;
}

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
