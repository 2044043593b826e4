import { clip } from '../../base/kernel/visible.js';
import { isOfClient } from '../../outcome/words/client-rows.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { AMOUNTS } from '../amounts.js';
import { labelWords, said, type FaultBlock } from '../rows/blocks.js';
import type { RowView } from '../rows/row-view.js';

const shown = (text: string): string => clip(text, AMOUNTS.testCase.characters);

export type CurlOf = (exchange: Exchange) => string;

/** Texts are as the target sent them. */
export const textLines = (
  row: RowView,
  blocks: readonly FaultBlock[],
  curlOf: CurlOf | null,
): readonly string[] =>
  blocks.flatMap((block) =>
    block.label === 'see'
      ? exchangeLines(row, block, curlOf)
      : [labelWords(block).padEnd(LABEL_WIDTH) + shown(said(block))],
  );

/** Width of the most frequent label, with colon and blank. */
const LABEL_WIDTH = 'expected: '.length;

const NAMED = 3;

function exchangeLines(
  { id: row, exchanges }: RowView,
  { finding }: FaultBlock,
  curlOf: CurlOf | null,
): readonly string[] {
  const ids = finding?.exchanges ?? [];
  const known = ids.flatMap((id) => exchanges.find((one) => one.id === id) ?? []);
  const commands = curlOf && !isOfClient(row) ? known.map(curlOf) : [];
  // A line to paste is never cut: one that is too long is left out.
  const command = commands.find((one) => one === shown(one));
  return [
    ...(command === undefined ? [] : [`curl:     ${command}`]),
    ...ids.slice(0, NAMED).map(
      (id) =>
        `exchange: ${exchangeLine(
          id,
          known.find((one) => one.id === id),
        )}`,
    ),
  ];
}

function exchangeLine(id: string, exchange: Exchange | undefined): string {
  if (!exchange) return id;
  const { request, answer } = exchange;
  const came = answer.kind === 'response' ? String(answer.status) : `no response (${answer.code})`;
  return `${id} ${request.method} ${shown(request.path)} -> ${came}`;
}

export const sentenceOf = (blocks: readonly FaultBlock[]): string =>
  blocks
    .map((block, at) =>
      shown((at === 0 ? '' : labelWords(block)) + said(block, String, AMOUNTS.annotation.names)),
    )
    .map((clause, _, { length }) => (length === 1 ? clause : clause.replace(/\.$/, '')))
    .join('; ');
