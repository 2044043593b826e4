import type * as Undici from 'undici';
import { duration } from '../../base/kernel/format.js';
import type { HttpLimits, WireRequest } from './connection.js';
import { rawAnswer, type Head, type RawAnswer } from './raw-answer.js';
import { transportError } from './transport-error.js';
import { errors } from './undici-client.js';

/** Lateness of the timeout that no usual delay of timers explains, ms: this process was held up. */
const HELD_UP_MS = 100;
/** Time in which a process that was held up reads what came meanwhile, ms. */
const READING_MS = 500;

/**
 * Sends one request through undici's handler, without its streams: under load a stream costs more than all
 * other work. Transport faults are answers of kind `none`.
 *
 * @throws InvalidArgumentError for a request that undici rejects
 */
export function requestOnce(
  client: Undici.Client,
  request: WireRequest,
  limits: HttpLimits,
): Promise<{ readonly answer: RawAnswer; readonly isUnsent: boolean }> {
  const { timeoutMs, maxBodyBytes, signal } = limits;
  return new Promise((resolve, reject) => {
    let controller: Undici.Dispatcher.DispatchController | undefined;
    let broken: Error | undefined;
    const chunks: Buffer[] = [];
    let head: Head = { status: 0, headers: [] };

    const settle = (answer: RawAnswer): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
      resolve({ answer, isUnsent: controller === undefined });
    };
    const breakOff = (error: Error): void => {
      broken = error;
      controller?.abort(error);
      settle({ kind: 'none', ...transportError(error) });
    };
    const interrupt = (): void => breakOff(signal?.reason as Error);
    const expire = (): void =>
      breakOff(new DOMException(`no complete response within ${duration(timeoutMs)}`, 'TimeoutError'));
    const endsAt = performance.now() + timeoutMs;
    let timer = setTimeout(() => {
      // The response may have come in time, and be unread after a stall of this process.
      if (performance.now() - endsAt < HELD_UP_MS) expire();
      else timer = setTimeout(expire, READING_MS);
    }, timeoutMs);
    if (signal?.aborted) return interrupt();
    signal?.addEventListener('abort', interrupt, { once: true });

    client.dispatch(
      { method: request.method, path: request.path, headers: request.headers.flat(), body: request.body },
      {
        onRequestStart(started) {
          controller = started;
          if (broken) started.abort(broken);
        },
        onResponseStart({ rawHeaders }, statusCode) {
          // Octets beyond ASCII are Latin-1 (RFC 9110 section 5.5); undici's parsed form drops repeated headers.
          const headers = (rawHeaders as readonly Buffer[]).map((text) => text.toString('latin1'));
          head = { status: statusCode, headers };
        },
        onResponseData(_, chunk) {
          chunks.push(chunk);
        },
        onResponseEnd() {
          settle(rawAnswer(head, chunks, maxBodyBytes));
        },
        onResponseError(_, error) {
          // An invalid request is a kit fault, and not of the target.
          if (error instanceof errors.InvalidArgumentError) {
            clearTimeout(timer);
            signal?.removeEventListener('abort', interrupt);
            reject(error);
          } else settle({ kind: 'none', ...transportError(error) });
        },
      },
    );
  });
}
