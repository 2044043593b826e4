import { clientRows, type ClientRow } from '../../base/interface/requirement-ids.js';
import type { RequirementId } from '../../base/interface/types.js';

const ROWS: ReadonlySet<string> = new Set(clientRows);

/** Returns whether a row binds clients. A line for curl cannot show such a fault: what it sends is its own. */
export const isOfClient = (id: RequirementId): id is ClientRow => ROWS.has(id);
