/**
 * The three forms of RFC 9110, 5.6.7: the one that senders write, and the two old ones that readers must take. `Date.parse`
 * alone would take far more ("soon 5", "2026").
 */
const FORMS: readonly RegExp[] = [
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** Reads an HTTP date into Unix ms; null when it is none. */
export function parseHttpDate(text: string): number | null {
  const form = FORMS.findIndex((pattern) => pattern.test(text));
  if (form === -1) return null;
  const parsed = Date.parse(form === 2 ? `${text} GMT` : text);
  return Number.isNaN(parsed) ? null : parsed;
}
