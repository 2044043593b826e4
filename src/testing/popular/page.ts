import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../base/kernel/package.js';
import { COLUMNS, type Behaves } from './judge-libraries.js';
import { CLIENT_SETTINGS } from '../../report/causes/client-settings.js';
import { EXPECTED } from './expected.js';

/** Returns the installed version of a library. Two of them are undici. */
function versionOf(name: string): string {
  const file = join(packageRoot(), 'node_modules', name.split(',', 1)[0] ?? name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}

/** Returns a library's line of the first table, by its cells. */
export const lineOf = ({ library, cells }: Behaves): readonly string[] => [
  `${library.name} ${versionOf(library.name)}`,
  library.setUp,
  ...cells,
];

/** Returns docs/popular-clients.md. It holds no time, so that two runs write the same. */
export function popularClientsPage(all: readonly Behaves[]): string {
  return [
    '# What popular clients do',
    '',
    'Twelve ways to send a request from Node, as they come from npm, each judged by `petstore-conformance client`. A test runs',
    'them through the scenarios over real sockets and writes this page. **Bold** breaks a requirement.',
    '',
    table([['library', 'set up', ...COLUMNS], ...all.map(lineOf)]),
    '',
    '- *waits for seconds*, *for a date*: after a 429 it sends the request again only when Retry-After is over.',
    '- *sends creations again*: a refused `POST` is repeated. The interface leaves that open.',
    '- *wait grows*: over several refusals the wait grows beyond Retry-After.',
    '- *key on a redirect*: whether another port of the same host gets the key.',
    '- *keeps digits*: all of them read JSON into doubles, so ids beyond 2^53 change. Read numbers as text to keep them.',
    '',
    '## Requirements that each one breaks',
    '',
    table([
      ['library', 'breaks', 'because it'],
      ...all.map(({ library, red }) => [
        library.name,
        red.map((row) => `\`${row}\``).join(', '),
        EXPECTED[library.name]?.because ?? '',
      ]),
    ]),
    '',
    '## Settings that do better',
    '',
    'A report names the setting of the library that the User-Agent names. `lossless` stands for a parser that keeps digits.',
    '',
    table([
      ['library', 'User-Agent', 'for', 'setting'],
      ...CLIENT_SETTINGS.flatMap(({ library, agent, settings }) =>
        Object.entries(settings).map(([row, setting]) => [library, `\`${agent}\``, `\`${row}\``, setting]),
      ),
    ]),
    '',
    '[client.md](client.md) has a client of ten lines that keeps every requirement.',
    '',
  ].join('\n');
}

/** Formats rows as a Markdown table, its columns aligned. */
function table(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows;
  const widths = head.map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  const lineOf = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [first = '', ...rest] = rows.map(lineOf);
  return [first, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rest].join('\n');
}
