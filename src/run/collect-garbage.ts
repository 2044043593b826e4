import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Is called before another process needs the memory, or to measure what is left. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Objects freed by the first may reference others.
  collect();
  collect();
}
