import type { RequirementId } from '../../base/interface/types.js';
import type { Proof } from '../../report/proof.js';
import { counted } from '../../base/kernel/format.js';
import { wrapped } from '../../outcome/words/safe-text.js';
import type { Matrix, MatrixRow } from './matrix.js';

export function complaint({ subject, missed, wronged, clouded }: MatrixRow): string {
  const what = [
    ...(missed.length > 0 ? [`did not turn red: ${missed.join(', ')}`] : []),
    ...(wronged.length > 0 ? [`wrongly red: ${wronged.join(', ')}`] : []),
    ...(clouded.length > 0 ? [`could not be determined: ${clouded.join(', ')}`] : []),
  ];
  return `${subject.kind} ${subject.name}: ${what.join('; ')}`;
}

/**
 * Formats the matrix by name: for each requirement the flaws that turned it red, then the variants.
 *
 * @param ids ids of the ledger, in its order
 */
export function matrixTable({ rows }: Matrix, ids: readonly RequirementId[]): readonly string[] {
  const caught = ids.flatMap((id) => {
    const names = rows.filter(({ subject, red }) => subject.kind === 'flaw' && red.includes(id)).map(nameOf);
    return names.length > 0 ? [[id, names] as const] : [];
  });
  const width = Math.max(0, ...caught.map(([id]) => id.length));
  const variants = rows.filter(({ subject }) => subject.kind === 'variant').map(nameOf);
  return [
    ...section(
      'flaws, by the requirement that they turn red',
      caught.flatMap(([id, names]) => wrapped(`  ${id.padEnd(width)}  `, names.join(', '))),
    ),
    ...section('conformant variants', variants.length > 0 ? wrapped('  ', variants.join(', ')) : []),
  ];
}

const nameOf = ({ subject }: MatrixRow): string => subject.name;

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length > 0 ? [title, ...lines, ''] : [];

/** A part of the matrix proves only what it shows. */
export function matrixLines(
  { rows, unproven, ok }: Matrix,
  { partial }: { readonly partial: boolean } = { partial: false },
): readonly string[] {
  const flaws = rows.filter(({ subject }) => subject.kind === 'flaw');
  const variants = rows.filter(({ subject }) => subject.kind === 'variant');
  const caught = `${flaws.filter((row) => row.ok).length} of ${flaws.length} caught`;
  return [
    ...(flaws.length === 0
      ? []
      : [`flaws      ${caught}, each by a requirement that it violates, and none outside its families`]),
    ...(variants.length === 0
      ? []
      : [
          `variants   ${variants.filter((row) => row.ok).length} of ${variants.length} conformant variants passed`,
        ]),
    ...rows.filter((row) => !row.ok).map((row) => `✗ ${complaint(row)}`),
    ...(unproven.length > 0 && !partial ? [`✗ no flaw turns red: ${unproven.join(', ')}`] : []),
    ...verdictOfMatrix(rows, ok, partial),
  ];
}

function verdictOfMatrix(rows: readonly MatrixRow[], ok: boolean, partial: boolean): readonly string[] {
  if (!partial)
    return [ok ? 'PROVEN     every check can fail, and none fails a correct server' : 'NOT PROVEN'];
  return rows.every((row) => row.ok)
    ? [`AS DECLARED  ${counted(rows.length, 'server')}; the others were not tested`]
    : ['NOT AS DECLARED'];
}

export function matrixMarkdown(matrix: Matrix): string {
  const table = (kind: 'flaw' | 'variant', head: string): readonly string[] => [
    `| ${kind} | ${head} |`,
    '| --- | --- | --- | --- |',
    ...matrix.rows.flatMap(({ subject, red, ok }) =>
      subject.kind === kind
        ? [`| ${subject.name} | ${cell(subject.title)} | ${red.join(', ')} | ${ok ? 'yes' : 'no'} |`]
        : [],
    ),
    '',
  ];
  return [
    '# Kill matrix',
    '',
    ...matrixLines(matrix).map((text) => `    ${text}`),
    '',
    '## Flaws',
    '',
    ...table('flaw', 'mistake | turned red | as declared'),
    '## Variants',
    '',
    ...table('variant', 'difference | warned | let pass'),
  ].join('\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

export const proofOf = ({ rows }: Matrix, kit: string, at: string): Proof => ({
  kit,
  at,
  flaws: rows.flatMap(({ subject, ok }) =>
    subject.kind === 'flaw'
      ? [{ name: subject.name, title: subject.title, turns: subject.turns, caught: ok }]
      : [],
  ),
  variants: rows.flatMap(({ subject, ok }) =>
    subject.kind === 'variant'
      ? [{ name: subject.name, title: subject.title, expect: subject.expect, held: ok }]
      : [],
  ),
});

/** One line per row, for readable changes. */
export function proofText({ kit, at, ...rows }: Proof): string {
  const lists = Object.entries(rows).map(
    ([name, list]) => `"${name}": [\n${list.map((row) => JSON.stringify(row)).join(',\n')}\n]`,
  );
  return `{\n${[`"kit": ${JSON.stringify(kit)}`, `"at": ${JSON.stringify(at)}`, ...lists].join(',\n')}\n}\n`;
}
