import type { Outcome } from '../judge/verdict.js';
import type { ViolationKind } from '../outcome/words/capacity.js';
import type { RowView } from './rows/row-view.js';

/** A cell: its text, which may come from a target or a scenario, and what glyph and colour say of it. */
export interface Cell {
  readonly text: string;
  readonly glyph?: Outcome;
  /** Without a glyph. */
  readonly ink?: Outcome | 'note';
  readonly link?: string;
}

/** The first cell of a row names it. */
export interface Table {
  readonly kind: 'table';
  readonly label: string;
  readonly columns: readonly string[];
  /** Columns that a terminal shows; all without. */
  readonly brief?: readonly number[];
  /** A part belongs to the row above it. */
  readonly rows: readonly { readonly cells: readonly Cell[]; readonly isPart?: boolean }[];
}

export interface Pair {
  readonly name: string;
  /** What was asked, where both are observed values; may be empty. */
  readonly subject?: string;
  readonly before: string;
  readonly now: string;
  readonly glyph: Outcome;
  readonly hasCard?: boolean;
  /** Requirements that the pair stands for, where many have the same two sides. */
  readonly members?: readonly string[];
  /** Row that stands for its fault; absent where it stands for itself. */
  readonly faultOf?: string;
  /** Both runs' results of a requirement; null where a run does not know it. */
  readonly sides?: {
    readonly statement: string;
    readonly before: RowView | null;
    readonly after: RowView | null;
    /**
     * Names another run than the earlier one that has the result of `before`; empty where the earlier one has
     * it.
     */
    readonly beforeFrom: string;
  };
}

export type Block =
  | Table
  | { readonly kind: 'text'; readonly text: string }
  /** Figures over time, by the name of the chart that draws them. */
  | { readonly kind: 'series'; readonly name: 'over-time' | 'generator' | 'find' }
  | { readonly kind: 'violations'; readonly violations: readonly ViolationKind[] }
  | {
      readonly kind: 'pairs';
      readonly first: string;
      readonly labels: SideLabels;
      readonly pairs: readonly Pair[];
      readonly isFolded?: true;
    };

/** Names of the two sides of a comparison: two moments, or two environments. */
export type SideLabels = readonly [before: string, now: string];

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly glyph?: Outcome;
  readonly lead?: string | undefined;
  readonly blocks: readonly Block[];
}

/** What is said of runs, built once for page, terminal and Markdown. */
export interface ReportDocument {
  readonly sentence: string;
  /** What to know before relying on it, as sentences. */
  readonly remarks: readonly string[];
  readonly sections: readonly Section[];
}

/** A column: its name, and its cell of a row; a text is a cell without colour. */
export type Column<Row> = readonly [name: string, of: (row: Row) => Cell | string];

export const tableOf = <Row extends object>(
  label: string,
  rows: readonly (Row & { readonly isPart?: boolean })[],
  columns: readonly Column<NoInfer<Row>>[],
): Table => ({
  kind: 'table',
  label,
  columns: columns.map(([name]) => name),
  rows: rows.map((row) => ({
    cells: columns.map(([, of]) => of(row)).map((cell) => (typeof cell === 'string' ? { text: cell } : cell)),
    ...(row.isPart && { isPart: true }),
  })),
});

export const withContent = (sections: readonly Section[]): readonly Section[] =>
  sections.filter(({ blocks }) =>
    blocks.some((block) =>
      block.kind === 'table' ? block.rows.length > 0 : block.kind === 'pairs' ? block.pairs.length > 0 : true,
    ),
  );
