import { ConfigError } from '../../base/kernel/errors.js';
import type { YamlPath, YamlSource } from '../../base/kernel/yaml-source.js';
import { secondsOf } from './units.js';

export const HINT =
  'docs/scale.md and config/schemas/scenario.schema.json describe a scenario. Nothing was sent.';
/** Longest run: a longer one is no load test, and more likely a wrong unit. */
export const LONGEST_SECONDS = 86_400;

/** Throws a ConfigError about a place of a scenario's file. */
export type Fail = (path: YamlPath, message: string, expected: string, nearest?: string) => never;

export const failing =
  (source: YamlSource): Fail =>
  (path, message, expected, nearest) => {
    throw new ConfigError({
      code: 'bad-value',
      message,
      file: source.file,
      line: source.lineOf(path),
      expected,
      nearest,
      hint: HINT,
    });
  };

/** In seconds. Throws ConfigError. */
export function durationOf(text: string, path: YamlPath, subject: string, fail: Fail): number {
  const seconds = secondsOf(text);
  if (seconds === null)
    return fail(path, `${subject} has no valid duration.`, 'a number and a unit, e.g. 30s, 2m or 1h');
  if (seconds <= 0) return fail(path, `${subject} has the duration 0.`, 'a duration above 0');
  if (seconds > LONGEST_SECONDS) return fail(path, `${subject} lasts longer than a day.`, 'at most 24h');
  return seconds;
}
