import { UsageError } from '../../base/kernel/errors.js';

/** Returns the error of a port that is in use as one that its user can fix; any other as it is. */
export const portError = (error: unknown, port: number): unknown =>
  (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    ? new UsageError(
        'port-in-use',
        `Port ${port} is in use.`,
        'Name another port with --port, or leave it out for a free one.',
        { cause: error },
      )
    : error;
