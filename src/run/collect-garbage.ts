import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects what nobody holds any more: before another process takes as much, or so that what is left can be measured. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // What the first time shows to be unused may hold more.
  collect();
  collect();
}
