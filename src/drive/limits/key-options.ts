import type { ProfileName } from '../../base/interface/names.js';
import type { Sample } from '../../judge/limits/sample.js';
import type { Report } from '../load/reporter.js';

export interface KeyOptions {
  readonly report: Report;
  readonly profiles: ReadonlySet<ProfileName>;
  /** True if the target file says that nobody else uses this key during the run. */
  readonly exclusive: boolean;
  /** Earlier requests of the run with this key, oldest first. */
  readonly earlier: readonly Sample[];
  /** Start of the run, Unix ms. */
  readonly aloneSince: number;
}
