/**
 * Does something with what a file holds that was handed in. Its shape was looked at, but not every corner of it: where that
 * makes the work stumble, the file is to blame and not the kit.
 * @param blame the error that says so
 */
export async function handedIn<Result>(
  work: () => Result | Promise<Result>,
  blame: (cause: Error) => Error,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof TypeError || error instanceof RangeError ? blame(error) : error;
  }
}
