import { startReference } from '../reference/index.js';
import { runWithoutPlaywright } from '../suite/plain-host.js';
import { secret } from '../targets/secret.js';
import { planOf } from '../targets/target.js';
import type { RequirementId } from '../contract/types.js';
import type { Exchange } from '../exchange/types.js';
import type { RunRequest } from './request.js';

/** What the suites would send, found out without the target. */
export interface Rehearsal {
  readonly exchanges: readonly Exchange[];
  readonly withKey: number;
  readonly withoutKey: number;
}

/** More requests in a minute than any rehearsal sends. */
const AMPLE = 10_000;

/**
 * Plays tests of the suites through against the embedded server, in this process, and counts: what is sent depends on
 * what comes back and on what the key's plan allows, so that no table could say it. A target that is smaller or stranger than the embedded one takes some
 * more or fewer.
 */
export async function rehearse(
  { target, writes, asOf }: Pick<RunRequest, 'target' | 'writes' | 'asOf'>,
  tested: readonly RequirementId[],
): Promise<Rehearsal> {
  const perMinute = planOf(target, target.suiteKey).perMinute;
  // No limit is to stand in the way of the counting: what is counted has to fit below it afterwards.
  const ample = { perMinute: Math.max(AMPLE, perMinute), perDay: AMPLE * AMPLE };
  const reference = await startReference({ plans: { [target.suiteKey]: ample } });
  try {
    const stand: typeof target = {
      ...target,
      baseUrl: reference.baseUrl,
      writes,
      keys: { [target.suiteKey]: secret(reference.keys[target.suiteKey]) },
      windows: { minute: 60, day: 86_400 },
    };
    const { exchanges } = await runWithoutPlaywright(stand, { asOf, selected: tested });
    const withKey = exchanges.filter(({ credential }) => credential.kind === 'valid').length;
    return { exchanges, withKey, withoutKey: exchanges.length - withKey };
  } finally {
    await reference.close();
  }
}
