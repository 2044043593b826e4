import type { ClientExchange, RecordedBody } from '../exchange/client-exchange.js';
import { headerIn, pairsOf } from '../exchange/headers.js';
import { parseRequestTarget } from '../exchange/request-target.js';
import type { credentialReader } from '../exchange/request-credential.js';
import { recordedBody } from './kept-body.js';
import type { Passed, PassedAnswer } from './passed.js';

export interface RecordOptions {
  readonly reader: ReturnType<typeof credentialReader>;
  /** Most bytes of a body, decoded. */
  readonly maxBytes: number;
}

/** Returns the exchange as the record holds it, with keys replaced. */
export function recordOf(passed: Passed, id: string, { reader, maxBytes }: RecordOptions): ClientExchange {
  const headers = pairsOf(passed.headers);
  const body = recordedBody(passed.body, headerIn(passed.headers, 'content-encoding'), maxBytes);
  const text = body.kind === 'whole' || body.kind === 'cut' ? body.text : null;
  const credential = reader.credentialOf({ method: passed.method, target: passed.target, headers, body: text });
  const hidden = (recorded: RecordedBody): RecordedBody =>
    recorded.kind === 'whole' || recorded.kind === 'cut' ? { ...recorded, text: reader.hide(recorded.text) } : recorded;
  return {
    id,
    credential,
    request: {
      method: passed.method,
      target: reader.hide(passed.target),
      headers: reader.hideIn(headers),
      body: hidden(body),
    },
    connection: passed.connection,
    ...(passed.pipelined && { multiplexed: true }),
    times: { kind: 'server', readAt: passed.readAt, writtenAt: passed.writtenAt },
    ...answerOf(passed.answer, maxBytes, hidden),
  };
}

function answerOf(
  answer: PassedAnswer,
  maxBytes: number,
  hidden: (recorded: RecordedBody) => RecordedBody,
): Pick<ClientExchange, 'answer' | 'byProxy'> {
  switch (answer.kind) {
    case 'none':
      return { answer };
    case 'own': {
      const { status, headers, text } = answer.given;
      return { answer: { kind: 'response', status, headers, body: { kind: 'whole', text } }, byProxy: true };
    }
    case 'response': {
      const { status, headers } = answer;
      const body = hidden(recordedBody(answer.body, headerIn(headers, 'content-encoding'), maxBytes));
      return { answer: { kind: 'response', status, headers: pairsOf(headers), body } };
    }
  }
}

/**
 * Returns why a request is none of the client's, in words that follow a number; null if it is one. Below the base address every
 * request counts, and elsewhere only one with a key. A browser asks before it sends (CORS preflight, Fetch 3.3.5).
 */
export function leftOutBecause(exchange: ClientExchange, basePath: string): string | null {
  const { method, target, headers } = exchange.request;
  const names = headers.map(([name]) => name.toLowerCase());
  if (method === 'OPTIONS' && names.includes('origin') && names.includes('access-control-request-method'))
    return 'CORS preflights';
  const { belowBase } = parseRequestTarget({ method, target }, basePath);
  return belowBase || exchange.credential.key.kind !== 'none' ? null : 'without the key, of no operation';
}
