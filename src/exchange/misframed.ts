import type { TransportCode } from './types.js';
import { size } from '../format/format.js';

/** Why the bytes of a connection are no answer. */
export interface Misframed {
  readonly code: TransportCode;
  readonly message: string;
}

/** The same as an error of a connection, as `transportError` reads it. */
export const misframedError = ({ code, message }: Misframed): Error =>
  code === 'too-large'
    ? Object.assign(new Error(message), { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' })
    : Object.assign(new Error(message), { name: 'HTTPParserError' });

/** Bytes that are no HTTP/1.1 answer. */
export const malformed = (message: string): Misframed => ({ code: 'malformed-http', message });

/** A body beyond what is read of one. */
export const tooLarge = (maxBodyBytes: number): Misframed => ({
  code: 'too-large',
  message: `the body is larger than ${size(maxBodyBytes)}`,
});
