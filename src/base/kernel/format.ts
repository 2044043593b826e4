/** Groups values by key, in order of first value. (`Map.groupBy` needs Node 21.) */
export function grouped<Key, Value>(
  values: Iterable<Value>,
  keyOf: (value: Value) => Key,
): Map<Key, [Value, ...Value[]]> {
  const groups = new Map<Key, [Value, ...Value[]]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

export const sum = <T>(all: readonly T[], of: (one: T) => number): number =>
  all.reduce((total, one) => total + of(one), 0);

export const sumAll = (all: Iterable<number>): number => sum([...all], (one) => one);

let formatter: Intl.NumberFormat | undefined;

/** Below this an integer has no separator. */
const THOUSAND = 1000;

/** `1476` as `1,476`, `0.25` as `0.3`: thousands separators, one decimal at most. */
export function count(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < THOUSAND) return String(value);
  // Made when needed: the first one takes 12 ms, in each process of a run.
  formatter ??= new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });
  return formatter.format(value);
}

/**
 * Formats a figure for comparison with a bound: up to three decimals, so that a miss never looks equal to the
 * bound.
 */
export const measured = (value: number): string =>
  value.toLocaleString('en-GB', { maximumFractionDigits: 3 });

/** A number with its noun: `1 request`, `2 requests`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** Formats milliseconds in a readable unit: `12 ms`, `3.1 s`, `4 min 12 s`, `2 h 5 min`. */
export function duration(ms: number): string {
  if (ms < 0) return `-${duration(-ms)}`;
  if (ms < 10) return `${trimmed(ms, 1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${trimmed(ms / 1000, 1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return joined(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

/** Formats a latency with three figures: `0.84 ms`, `84 ms`, `1.2 s`. */
export const latencyText = (ms: number): string =>
  ms < 10 ? `${trimmed(ms, 2)} ms` : ms < 100 ? `${trimmed(ms, 1)} ms` : duration(ms);

/** Milliseconds under a heading that names the unit: `0.84`, `84.0`, `1,200`. */
export const milliseconds = (ms: number): string =>
  ms >= 100 ? count(Math.round(ms)) : ms >= 10 ? ms.toFixed(1) : trimmed(ms, 2);

/** Formats a size in the largest unit that divides it: `512 bytes`, `64 KiB`, `1 MiB`. */
export const size = (bytes: number): string =>
  bytes >= MIB && bytes % MIB === 0
    ? `${count(bytes / MIB)} MiB`
    : bytes >= KIB && bytes % KIB === 0
      ? `${count(bytes / KIB)} KiB`
      : counted(bytes, 'byte');

const KIB = 1024;
const MIB = KIB * KIB;

/** Formats an ISO time to the second in UTC: `2026-11-20 10:00:00 UTC`; other texts unchanged. */
export function moment(iso: string): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? iso : `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** An ISO time without its seconds: `2026-11-20 10:00 UTC`. */
export const minute = (iso: string): string => moment(iso).replace(/:\d\d UTC$/, ' UTC');

/** Unix milliseconds as a time of day with thousandths, in UTC: `10:00:01.234`. */
export const clock = (unixMs: number): string =>
  Number.isFinite(unixMs) && Math.abs(unixMs) <= 8.64e15
    ? new Date(unixMs).toISOString().slice(11, 23)
    : String(unixMs);

/** Joins the texts of each row, those of a column padded to the longest; the last ones are not. */
export function aligned(
  rows: readonly (readonly string[])[],
  sides: readonly ('left' | 'right')[],
): readonly string[] {
  const widths = sides.map((_, at) => Math.max(0, ...rows.map((row) => row[at]?.length ?? 0)));
  const padded = (text: string, at: number): string =>
    sides[at] === 'right' ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0);
  return rows.map((row) => row.map(padded).join('  '));
}

/** Joins names for a sentence: `a`, `a and b`, `a, b and c`. */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/**
 * Joins names for a sentence, and counts those beyond `most`: `a, b and 5 more`. One more is named: its name
 * takes no more room than its count.
 */
export const listedUpTo = (names: readonly string[], most: number): string =>
  names.length <= most + 1
    ? listed(names)
    : `${names.slice(0, most).join(', ')} and ${count(names.length - most)} more`;

/** `free` as `Free`. An address keeps its scheme as it is. */
export const capital = (text: string): string =>
  /^[a-z][a-z+.-]*:\/\//.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

/** `The server` as `the server`, for the middle of a sentence. */
export const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Adds a full stop to a reason or remark without end punctuation. */
export const ended = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Formats a share from 0 to 1 as per cent; small ones keep two figures. */
export const shareText = (share: number): string =>
  `${share > 0 && share < 0.01 ? Number((share * 100).toPrecision(2)) : trimmed(share * 100, 1)} %`;

/** Formats a change as per cent without sign and unit; below 10 % with one decimal. */
export const percentOf = (share: number): string =>
  trimmed(Math.abs(share) * 100, Math.abs(share) < 0.1 ? 1 : 0);

/**
 * Formats an interval of a change as per cent, the smaller end first: `8 to 11`, or `8` where both read
 * alike.
 */
export function percentRange(low: number, high: number): string {
  const [least = '', most = ''] = [low, high].toSorted((a, b) => Math.abs(a) - Math.abs(b)).map(percentOf);
  return least === most ? least : `${least} to ${most}`;
}

/** At most `digits` decimals, without trailing zeros. */
export const trimmed = (value: number, digits: number): string => String(Number(value.toFixed(digits)));

const joined = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;

/** A noun with its indefinite article: “an Enterprise key”, “a number”. */
export const withArticle = (noun: string): string => (/^[aeio]/i.test(noun) ? `an ${noun}` : `a ${noun}`);
