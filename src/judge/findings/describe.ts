import { writeJson, type Json } from '../../base/kernel/json.js';

/** Most characters of a quoted value in a finding; the exchange has all. */
const QUOTE_LENGTH = 120;

export function describe(value: Json | undefined): string {
  if (value === undefined) return 'absent';
  const text = writeJson(value);
  return text.length > QUOTE_LENGTH ? `${text.slice(0, QUOTE_LENGTH)}…` : text;
}
