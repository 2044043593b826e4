import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { writeJson } from './json.js';
import type { Answer, Body, Header, Wire } from './messages.js';

const JSON_TYPE = 'application/json';

/** An answer as bytes, to be sent at once and whole. */
export function encode(answer: Answer, at: number): Wire {
  const { payload, mediaType } = bytesOf(answer.body);
  const type: readonly Header[] = mediaType === null ? [] : [['Content-Type', mediaType]];
  return {
    status: answer.status,
    headers: [['Date', new Date(at).toUTCString()], ...type, ...answer.headers],
    payload,
    delayMs: 0,
    chunked: false,
    closes: false,
    resets: false,
  };
}

function bytesOf(body: Body): { payload: Buffer; mediaType: string | null } {
  if (body.kind === 'none') return { payload: Buffer.alloc(0), mediaType: null };
  return body.kind === 'json'
    ? { payload: Buffer.from(writeJson(body.value)), mediaType: body.mediaType ?? JSON_TYPE }
    : { payload: Buffer.from(body.text), mediaType: body.mediaType };
}

/** Writes an answer out. Does nothing when the client has gone, or when `closing` is aborted meanwhile. */
export async function send(wire: Wire, response: ServerResponse, closing: AbortSignal): Promise<void> {
  if (wire.delayMs > 0) await pause(wire.delayMs, undefined, { signal: closing });
  if (response.destroyed) return;
  if (wire.resets) {
    response.socket?.resetAndDestroy();
    return;
  }
  response.sendDate = false;
  const hasLength = !wire.chunked && wire.status !== 204;
  const length: readonly Header[] = hasLength ? [['Content-Length', String(wire.payload.length)]] : [];
  const close: readonly Header[] = wire.closes ? [['Connection', 'close']] : [];
  response.writeHead(wire.status, [...wire.headers, ...length, ...close].flat());
  if (!wire.chunked) {
    response.end(wire.payload);
    return;
  }
  const middle = Math.ceil(wire.payload.length / 2);
  response.write(wire.payload.subarray(0, middle));
  response.end(wire.payload.subarray(middle));
}
