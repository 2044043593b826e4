import { loadLedger } from '../../base/interface/ledger.js';
import { suggestion } from '../../base/kernel/nearest-name.js';
import type { Requirement, RequirementId } from '../../base/interface/types.js';
import { ledgerCsv, ledgerJson } from '../../report/machine/requirement-tables.js';
import { LEVEL_MEANINGS } from '../../outcome/words/outcomes.js';
import { wrapped } from '../../outcome/words/safe-text.js';
import { readOwnLedger } from '../../drive/own/own-suites.js';
import { asStarted } from '../../outcome/words/as-started.js';
import { OWN_TITLE } from '../../outcome/words/own.js';
import type { Question } from '../../drive/limits/question.js';
import { questionsOf } from '../../drive/limits/select.js';
import { partTitles } from '../../base/interface/names.js';
import { UsageError } from '../../base/kernel/errors.js';
import type { Arguments } from './command-options.js';
import { print, type Io } from './io.js';

export async function command({ id, ledger, format }: Arguments<'requirements'>, io: Io): Promise<number> {
  const { requirements, ofClients } = loadLedger();
  const own = ledger === undefined ? [] : readOwnLedger(ledger, []).rows;
  if (format !== undefined) {
    const rows = [...requirements, ...ofClients, ...own].filter((row) => id === undefined || row.id === id);
    if (id !== undefined && rows.length === 0) named(id, [...requirements, ...ofClients]);
    io.out.write(format === 'csv' ? ledgerCsv(rows) : ledgerJson(rows));
    return 0;
  }
  const lines =
    id === undefined
      ? [
          ...list(requirements),
          '',
          'Clients',
          ...ofClients.map(rowLine),
          ...(own.length > 0 ? ['', OWN_TITLE, ...own.map(rowLine)] : []),
        ].flatMap((line) => (typeof line === 'string' ? line : fitted(line, io.out)))
      : await card(named(id, [...requirements, ...ofClients, ...own]));
  print(io.out, lines);
  return 0;
}

/** Returns the row of an id. Throws UsageError with the nearest one: the typo is in the id, not in a file. */
function named(id: string, rows: readonly Requirement[]): Requirement {
  const row = rows.find((one) => one.id === id);
  if (row) return row;
  const ids = rows.map((one) => one.id);
  throw new UsageError(
    'unknown-requirement',
    `There is no requirement "${id}".`,
    `${suggestion(id, ids)}All ids: petstore-conformance requirements`,
  );
}

type ListLine = readonly [lead: string, statement: string];

function list(rows: readonly Requirement[]): readonly (string | ListLine)[] {
  const parts = [...new Set(rows.map(({ part }) => part))].sort((a, b) => a - b);
  return parts
    .flatMap((part) => [
      '',
      `${part}  ${partTitles[part]}`,
      ...rows.filter((row) => row.part === part).map(rowLine),
    ])
    .slice(1);
}

const WIDTH = 30;

const rowLine = ({ id, level, statement }: Requirement): ListLine => [
  `   ${id.padEnd(WIDTH)}  ${level.padEnd(6)}  `,
  statement,
];

/** Wraps a line that a screen has no room for. Elsewhere each row is one line, for `grep`. */
const fitted = ([lead, statement]: ListLine, { isTTY, columns }: Io['out']): readonly string[] =>
  isTTY && lead.length + statement.length > columns ? wrapped(lead, statement) : [lead + statement];

async function card(row: Requirement): Promise<readonly string[]> {
  const { flawedClients, flaws } = await import('../../proof/index.js');
  const known: readonly Known[] = row.judgedBy.kind === 'client' ? flawedClients : flaws;
  const caught = known.filter(({ turns }) => turns.includes(row.id));
  return [
    row.id,
    '',
    ...wrapped('  ', row.statement),
    '',
    `  level       ${row.level}: ${LEVEL_MEANINGS[row.level]}`,
    ...wrapped('  interface   ', `part ${row.part}, ${row.place}`),
    ...(row.since === undefined ? [] : [`  since       ${row.since}`]),
    `  operations  ${row.operations.join(', ') || 'none'}`,
    ...wrapped('  judged by   ', judge(row)),
    ...wrapped('  how         ', row.how),
    ...(/\b[LW]\b/.test(row.how) ? wrapped('              ', FIGURES) : []),
    ...questionsOf(row.id).flatMap(asked),
    // A command is pasted whole, so it stands in one line.
    `  try it      ${asStarted(tryIt(row))}`,
    ...(caught.length > 0
      ? [
          '',
          `  ${row.judgedBy.kind === 'client' ? 'clients' : 'flaws'} that it is known to catch`,
          ...caught.flatMap(({ name, title }) => wrapped('    - ', `${name}: ${title}`)),
          '',
          `  see one     ${asStarted(seeOne(row, caught[0]?.name ?? ''))}`,
        ]
      : []),
  ];
}

const asked = ({ title, asks, state, sends, only }: Question, at: number): readonly string[] => [
  ...wrapped(at === 0 ? '  questions   ' : '              ', `${title}: ${asks}`),
  ...(only === null ? [] : wrapped('                ', `asked only ${only}`)),
  ...wrapped('                ', `before it: ${state}`),
  ...wrapped('                ', `sent: ${sends}`),
];

interface Known {
  readonly name: string;
  readonly title: string;
  readonly turns: readonly RequirementId[];
}

const tryIt = ({ id, judgedBy }: Requirement): string =>
  judgedBy.kind === 'client'
    ? `petstore-conformance client --scenario ${judgedBy.scenarios[0]} -- COMMAND`
    : `petstore-conformance run --requirement ${id}`;

const seeOne = ({ judgedBy }: Requirement, name: string): string =>
  `petstore-conformance ${judgedBy.kind === 'client' ? 'selftest --server' : 'serve --flaw'} ${name}`;

const FIGURES = '(L is the limit of the plan in a window, W the length of the window: 60 s.)';

/** Returns names after what they are, as "load profiles burst, steady". */
const namedAs = (what: string, names: readonly string[]): string =>
  `${what}${names.length === 1 ? '' : 's'} ${names.join(', ')}`;

function judge({ judgedBy }: Requirement): string {
  switch (judgedBy.kind) {
    case 'suite':
      return judgedBy.suite === 'own' ? 'your own suite (run with --suite)' : 'its own requests';
    case 'passive':
      return 'every response of the run';
    case 'load': {
      const profiles = namedAs('load profile', judgedBy.profiles);
      return `requests up to a plan's limit (${profiles})${judgedBy.traffic ? ', and the requests of the suites' : ''}`;
    }
    case 'compare':
      return 'the comparison of two runs';
    case 'client':
      return `the record of a client's requests (${namedAs('scenario', judgedBy.scenarios)})`;
    case 'nobody':
      return `no request can show it: ${judgedBy.reason}`;
  }
}
