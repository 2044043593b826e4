import { has, type Shape } from '../contract/shape.js';
import { isHistogram } from './histogram.js';
import { RECORDS, type LogRecord } from './record.js';

/** Formats checked beyond a text's length. */
export const FORMATS = { histogram: isHistogram };

const checks = new Map(Object.entries<Shape>(RECORDS).map(([type, shape]) => [type, has(shape, FORMATS)]));

/** Returns whether a record has the shape of its kind. Readers skip kinds that this kit does not know. */
export const isRecord = (record: LogRecord): boolean => checks.get(record.type)?.(record) ?? true;
