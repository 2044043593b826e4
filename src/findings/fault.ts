/**
 * What a thrown thing says of itself, with its stack where it has one: for the log and for whoever mends the kit. Pure.
 */
export const faultText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** The first line of such a text, which is all that a user is shown without being asked. Pure. */
export const faultHeadline = (text: string): string => (text.split('\n', 1)[0] ?? '').trim();

/** Why a run ended that a fault of the kit broke off, in words. Pure. */
export const faultReason = (text: string): string => `a fault of the kit: ${faultHeadline(text)}`;
