import { trimmed } from '../../base/kernel/format.js';

/** Seconds per unit of a duration or rate. */
const SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, min: 60, m: 60, h: 3600, d: 86_400 };

/** Parses a duration such as `30s`, `2m`, `500ms` or `1.5h` into seconds; null if it is none. */
export function secondsOf(text: string): number | null {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*(ms|s|min|m|h|d)$/.exec(text.trim()) ?? [];
  return amount === undefined || unit === undefined ? null : Number(amount) * (SECONDS[unit] ?? Number.NaN);
}

/** Parses a rate such as `1000/min` or `100/s` into arrivals per second; null if it is none. Keeps a sign. */
export function perSecondOf(text: string): number | null {
  const [, amount, unit] =
    /^(-?\d+(?:\.\d+)?(?:[eE]\+?\d+)?)\s*\/\s*(ms|s|sec|second|min|m|minute|h|hour|d|day)$/.exec(
      text.trim(),
    ) ?? [];
  if (amount === undefined || unit === undefined) return null;
  return Number(amount) / (SECONDS[UNIT_NAMES[unit] ?? unit] ?? Number.NaN);
}

const UNIT_NAMES: Readonly<Record<string, string>> = {
  sec: 's',
  second: 's',
  minute: 'min',
  hour: 'h',
  day: 'd',
};

/**
 * Formats a rate: per second if that is a whole number or large, else per minute, or per hour if that is
 * below 1.
 */
export function rateText(perSecond: number): string {
  const minute = perSecond * 60;
  if (isWhole(perSecond)) return `${format(perSecond)}/s`;
  if (minute < 1) return `${format(minute * 60)}/h`;
  return isWhole(minute) || perSecond < 10 ? `${format(minute)}/min` : `${format(perSecond)}/s`;
}

const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) < 1e-9;

const format = (value: number): string => trimmed(value, 2);
