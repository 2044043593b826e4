import type { Requirement, RequirementId } from '../../base/interface/types.js';

/** Row about numbers in rate headers, some of which only a large plan shows. */
export const NUMBERS_ROW: RequirementId = 'rate-headers-wellformed';
/** Row about the allowance of a key under another spelling of its scheme. */
export const SCHEME_ROW: RequirementId = 'auth-scheme-case';

/** Is true if the suites' requests show a row that load judges. */
export const isShownByTraffic = ({ judgedBy }: Requirement): boolean =>
  judgedBy.kind === 'load' && judgedBy.traffic === true;

/** Is true if `judgeSuitesTraffic` may say something about a row. */
export const isJudgedByTraffic = (row: Requirement): boolean =>
  isShownByTraffic(row) || row.id === NUMBERS_ROW || row.id === SCHEME_ROW;
