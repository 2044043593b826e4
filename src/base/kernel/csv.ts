type CsvValue = string | number | boolean;

/**
 * Returns a line of comma-separated values, with its line end.
 *
 * @param end RFC 4180 demands a carriage return; standard output shows one as text, so what is printed goes
 *   without
 */
export const csvLine = (cells: readonly CsvValue[], end: '\r\n' | '\n' = '\r\n'): string =>
  `${cells.map(csvCell).join(',')}${end}`;

/** Text that a spreadsheet would read as a formula gets a leading apostrophe. */
function csvCell(value: CsvValue): string {
  if (typeof value !== 'string') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
