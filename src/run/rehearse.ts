import { runWithoutPlaywright } from '../drive/suite/plain-host.js';
import { startReference } from '../reference/server.js';
import type { RequirementId } from '../base/interface/types.js';
import { planOf } from '../wire/targets/target.js';
import { secret } from '../wire/targets/secret.js';
import type { RunRequest } from './request.js';
import { filesStating } from './suite-files.js';

/** More requests in a minute than any rehearsal sends. */
const AMPLE = 10_000;

/**
 * Runs tests of the suites against the embedded server in this process, and counts their requests. These
 * depend on responses and on the plan's limit, so no table suffices. A smaller or stranger target takes some
 * more or fewer.
 */
export async function rehearse(
  { target, writes, asOf }: Pick<RunRequest, 'target' | 'writes' | 'asOf'>,
  tested: readonly RequirementId[],
) {
  const perMinute = planOf(target, target.suiteKey).perMinute;
  // A limit must not disturb the count, which is compared with the real one later.
  const ample = { perMinute: Math.max(AMPLE, perMinute), perDay: AMPLE * AMPLE };
  await using reference = await startReference({ plans: { [target.suiteKey]: ample } });
  const stand: typeof target = {
    ...target,
    baseUrl: reference.baseUrl,
    writes,
    keys: { [target.suiteKey]: secret(reference.keys[target.suiteKey]) },
    windows: { minute: 60, day: 86_400 },
  };
  const { exchanges } = await runWithoutPlaywright(stand, {
    asOf,
    selected: tested,
    files: filesStating(tested),
  });
  const withKey = exchanges.filter(({ credential }) => credential.kind === 'valid').length;
  return { exchanges, withKey, withoutKey: exchanges.length - withKey };
}
