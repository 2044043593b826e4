import { isRecord } from '../../base/kernel/shape.js';

/** An object of a foreign file: any member may be missing, or of any type. */
export type Loose = Readonly<Record<string, unknown>>;

export const at = (object: Loose, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

export const recordAt = (object: Loose, name: string): Loose => {
  const value = at(object, name);
  return isRecord(value) ? value : {};
};

export const textAt = (object: Loose, name: string): string | null => {
  const value = at(object, name);
  return typeof value === 'string' ? value : null;
};

export const numberAt = (object: Loose, name: string): number | null => {
  const value = at(object, name);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
};
