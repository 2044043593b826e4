import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Before another process needs the memory, or for measuring the rest. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Objects freed by the first may reference others.
  collect();
  collect();
}
