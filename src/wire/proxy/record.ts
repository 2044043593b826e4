import { textIn, type ClientExchange } from '../exchange/client-exchange.js';
import { headerIn, pairsOf } from '../exchange/headers.js';
import type { MetSecrets } from '../exchange/met-secrets.js';
import { withoutSecrets } from '../exchange/secrets.js';
import type { CredentialReader } from '../exchange/request-credential.js';
import { recordedBody } from './kept-body.js';
import type { Passed, PassedAnswer } from './passed.js';

interface RecordOptions {
  readonly reader: CredentialReader;
  readonly secrets: MetSecrets;
  /** Most bytes of a body, decoded. */
  readonly maxBytes: number;
}

/** Returns the exchange as the record holds it, with keys and other secrets replaced. */
export function recordOf(
  passed: Passed,
  id: string,
  { reader, secrets, maxBytes }: RecordOptions,
): ClientExchange {
  const headers = pairsOf(passed.headers);
  const body = recordedBody(passed.body, headerIn(passed.headers, 'content-encoding'), maxBytes);
  const credential = reader.credentialOf({
    method: passed.method,
    target: passed.target,
    headers,
    body: textIn(body),
  });
  secrets.meetCredential(headers);
  const exchange: ClientExchange = {
    id,
    credential,
    request: { method: passed.method, target: passed.target, headers, body },
    connection: passed.connection,
    ...(passed.pipelined && { multiplexed: true }),
    ...(passed.mayHaveLeft && { mayHaveLeft: true }),
    times: { kind: 'server', readAt: passed.readAt, writtenAt: passed.writtenAt },
    ...answerOf(passed.answer, maxBytes),
  };
  return withoutSecrets(reader.hidden(exchange), secrets.meet);
}

function answerOf(answer: PassedAnswer, maxBytes: number): Pick<ClientExchange, 'answer' | 'byProxy'> {
  switch (answer.kind) {
    case 'none':
      return { answer };
    case 'own': {
      const { status, headers, text } = answer.given;
      return { answer: { kind: 'response', status, headers, body: { kind: 'whole', text } }, byProxy: true };
    }
    case 'response': {
      const { status, headers } = answer;
      const body = recordedBody(answer.body, headerIn(headers, 'content-encoding'), maxBytes);
      return { answer: { kind: 'response', status, headers: pairsOf(headers), body } };
    }
  }
}
