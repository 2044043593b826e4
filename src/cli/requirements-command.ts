import { loadLedger } from '../contract/ledger.js';
import { partTitles } from '../contract/parts.js';
import type { Requirement } from '../contract/types.js';
import { flaws } from '../reference/index.js';
import { wrapped } from '../report/wording/wrapped.js';
import { line } from './io.js';
import type { Io } from './io.js';

/** `requirements [ID]`: the ledger as a list, or one row as a card. */
export function requirementsCommand({ id }: { readonly id?: string | undefined }, io: Io): number {
  for (const text of id === undefined ? list(loadLedger().requirements) : card(loadLedger().byId(id)))
    line(io.out, text);
  return 0;
}

function list(rows: readonly Requirement[]): readonly string[] {
  const width = Math.max(...rows.map((row) => row.id.length));
  const parts = [...new Set(rows.map(({ part }) => part))].sort((a, b) => a - b);
  return parts
    .flatMap((part) => [
      '',
      `${part}  ${partTitles[part]}`,
      ...rows
        .filter((row) => row.part === part)
        .map((row) => `   ${row.id.padEnd(width)}  ${row.level.padEnd(6)}  ${row.statement}`),
    ])
    .slice(1);
}

function card(row: Requirement): readonly string[] {
  const caught = flaws.filter(({ turns }) => turns.includes(row.id));
  return [
    row.id,
    '',
    ...wrapped('  ', row.statement),
    '',
    `  level       ${row.level}`,
    ...wrapped('  interface   ', `part ${row.part}, ${row.place}`),
    `  operations  ${row.operations.join(', ') || 'none'}`,
    ...wrapped('  judged by   ', judge(row)),
    ...wrapped('  how         ', row.how),
    ...(caught.length > 0
      ? [
          '',
          '  broken servers that it is known to catch',
          ...caught.flatMap(({ name, title }) => wrapped('    - ', `${name}: ${title}`)),
        ]
      : []),
  ];
}

function judge({ judgedBy }: Requirement): string {
  switch (judgedBy.kind) {
    case 'suite':
      return `the suite ${judgedBy.suite}`;
    case 'passive':
      return 'every answer of suites and load';
    case 'load':
      return `the load profiles ${judgedBy.profiles.join(', ')}${judgedBy.traffic ? ', and what the suites send' : ''}`;
    case 'compare':
      return 'the comparison of two runs';
    case 'nobody':
      return `nobody: ${judgedBy.reason}`;
  }
}
