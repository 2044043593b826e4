import { ownFiles } from '../own/own-files.js';
import { readOwnLedger } from '../own/own-ledger.js';
import type { OwnRequest } from './request.js';
import { badOption } from '../contract/usage-error.js';

/**
 * The own suites that a run was asked for; undefined where none were named.
 * @throws UsageError, ConfigError
 */
export function ownRequest({
  suite = [],
  ledger,
  ownDecide = false,
}: {
  readonly suite?: readonly string[] | undefined;
  readonly ledger?: string | undefined;
  readonly ownDecide?: boolean | undefined;
}): OwnRequest | undefined {
  if (suite.length === 0) {
    if (ledger === undefined && !ownDecide) return undefined;
    throw badOption(
      `--${ownDecide ? 'own-decide' : 'ledger'} goes with --suite.`,
      'Name the suites of your own with --suite.',
    );
  }
  const files = ownFiles(suite);
  return { files, ...readOwnLedger(ledger, files), decide: ownDecide };
}
