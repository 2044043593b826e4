/** Returns the text of a thrown value, with its stack where present, for the log and for maintainers. Pure. */
export const faultText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Returns the first line of a fault's text, the only part shown by default. Pure. */
export const faultHeadline = (text: string): string => (text.split('\n', 1)[0] ?? '').trim();

/** Returns the reason for a run's end by a kit fault. Pure. */
export const faultReason = (text: string): string => `a kit fault: ${faultHeadline(text)}`;
