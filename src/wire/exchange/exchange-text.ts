import type { Exchange, Header } from './types.js';
import { counted, duration } from '../../base/kernel/format.js';
import { clip } from '../../base/kernel/visible.js';

const LONGEST_BODY = 4_000;

/** The key was redacted when the exchange was recorded. */
export function exchangeText({ request, answer, latencyMs }: Exchange): string {
  const sent = [
    `${request.method} ${request.path} HTTP/1.1`,
    ...headerLines(request.headers),
    '',
    request.body ?? '',
  ];
  const came =
    answer.kind === 'none'
      ? [`no response: ${answer.message}`]
      : [
          `HTTP/1.1 ${answer.status}`,
          ...headerLines(answer.headers),
          '',
          clip(answer.text, LONGEST_BODY),
          ...beginningOf(answer),
        ];
  return `${sent.join('\n').trimEnd()}\n\n(after ${duration(latencyMs)})\n${came.join('\n').trimEnd()}\n`;
}

const beginningOf = ({ cutFrom }: { readonly cutFrom?: number }): readonly string[] =>
  cutFrom === undefined ? [] : [`(the body had ${counted(cutFrom, 'byte')}; only its beginning was kept)`];

const headerLines = (headers: readonly Header[]): readonly string[] =>
  headers.map(([name, value]) => `${name}: ${value}`);
