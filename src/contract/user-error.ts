/** Whose affair an error is: of how a command was used, or of what a file or an option of the configuration says. */
export type UserFault = 'usage' | 'configuration';

/**
 * An error that a user can meet, and mend: what is wrong, whose affair that is, and what to do about it. It is never the
 * target's fault; what is no such error is a fault of the kit. The codes stand in docs/reference.md.
 */
export class UserError<Code extends string = string> extends Error {
  /** What stands before the message: the file and line that it is about. */
  readonly where: string = '';
  /** What is known beyond the message, each with its label of at most fifteen letters. */
  readonly details: readonly (readonly [label: string, text: string])[] = [];

  constructor(
    readonly fault: UserFault,
    readonly code: Code,
    message: string,
    /** What to do next, as a sentence. */
    readonly hint: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What to do about a file that was given for one of a run's. */
export const NAME_A_RUN =
  'Name the folder of a run, or its file, that this version of the kit has written and nobody has changed.';
