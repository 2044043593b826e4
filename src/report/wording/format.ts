const NUMBER = new Intl.NumberFormat('en-GB');

/** `1476` as `1,476`. */
export const count = (value: number): string => NUMBER.format(value);

/** A number with its noun: `1 request`, `2 requests`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** Milliseconds in the unit that a person would use: `12 ms`, `3.1 s`, `4 min 12 s`, `2 h 5 min`. */
export function duration(ms: number): string {
  if (ms < 10) return `${trimmed(ms, 1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${trimmed(ms / 1000, 1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return joined(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

/** An ISO moment to the second in UTC, as people write it: `2026-11-20 10:00:00 UTC`; other texts as they are. */
export function moment(iso: string): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? iso : `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Unix milliseconds as a time of day with thousandths, in UTC: `10:00:01.234`. */
export const clock = (unixMs: number): string =>
  Number.isFinite(unixMs) && Math.abs(unixMs) <= 8.64e15
    ? new Date(unixMs).toISOString().slice(11, 23)
    : String(unixMs);

/** Whole days from one ISO date to another; negative when the other is past. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to.slice(0, 10)) - Date.parse(from.slice(0, 10))) / 86_400_000);

/** Names as a sentence lists them: `a`, `a and b`, `a, b and c`. */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** `free` as `Free`. */
export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** A reason or remark as a sentence: with a full stop where it has no end of its own. */
export const ended = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** At most `digits` decimals, without trailing zeros. */
export const trimmed = (value: number, digits: number): string => String(Number(value.toFixed(digits)));

const joined = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
