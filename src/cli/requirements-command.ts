import { loadLedger } from '../contract/ledger.js';
import { partTitles } from '../contract/parts.js';
import { nearestName } from '../contract/nearest-name.js';
import type { Requirement } from '../contract/types.js';
import { flaws } from '../reference/index.js';
import { LEVEL_MEANINGS } from '../report/wording/outcomes.js';
import { wrapped } from '../report/wording/wrapped.js';
import { UsageError } from '../run/usage-error.js';
import { line } from './io.js';
import type { Io } from './io.js';

/** `requirements [ID]`: the ledger as a list, or one row as a card. */
export function requirementsCommand({ id }: { readonly id?: string | undefined }, io: Io): number {
  const { requirements } = loadLedger();
  for (const text of id === undefined ? list(requirements) : card(named(id, requirements))) line(io.out, text);
  return 0;
}

/** The row of an id. Throws UsageError with the nearest one: what was mistyped is the id, and no file is to be looked at. */
function named(id: string, rows: readonly Requirement[]): Requirement {
  const row = rows.find((one) => one.id === id);
  if (row) return row;
  const nearest = nearestName(
    id,
    rows.map((one) => one.id),
  );
  throw new UsageError(
    'unknown-requirement',
    `There is no requirement “${id}”.`,
    `${nearest === undefined ? '' : `Did you mean ${nearest}? `}All ids: petstore-conformance requirements`,
  );
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
    `  level       ${row.level}: ${LEVEL_MEANINGS[row.level]}`,
    ...wrapped('  interface   ', `part ${row.part}, ${row.place}`),
    `  operations  ${row.operations.join(', ') || 'none'}`,
    ...wrapped('  judged by   ', judge(row)),
    ...wrapped('  how         ', row.how),
    ...(/\b[LW]\b/.test(row.how) ? wrapped('              ', FIGURES) : []),
    ...wrapped('  try it      ', `petstore-conformance run --requirement ${row.id}`),
    ...(caught.length > 0
      ? [
          '',
          '  broken servers that it is known to catch',
          ...caught.flatMap(({ name, title }) => wrapped('    - ', `${name}: ${title}`)),
          '',
          ...wrapped('  see one     ', `petstore-conformance serve --flaw ${caught[0]?.name}`),
        ]
      : []),
  ];
}

/** What the letters in a limiter's bounds stand for. */
const FIGURES = '(L is what the plan allows in a window, W the length of the window: 60 s.)';

function judge({ judgedBy }: Requirement): string {
  switch (judgedBy.kind) {
    case 'suite':
      return 'requests of its own';
    case 'passive':
      return 'every answer of the run, whatever it was asked for';
    case 'load':
      return `many requests at once (${judgedBy.profiles.length === 1 ? 'load profile' : 'load profiles'} ${judgedBy.profiles.join(', ')})${judgedBy.traffic ? ', and what the suites send' : ''}`;
    case 'compare':
      return 'the comparison of two runs';
    case 'nobody':
      return `no request can show it: ${judgedBy.reason}`;
  }
}
