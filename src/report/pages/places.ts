import { dirname, relative, sep } from 'node:path';

/** Addresses of the reports of two compared runs; null without one. */
export interface Places {
  readonly before: string | null;
  readonly after: string | null;
}

/** Returns a link from one file to another: relative, so that both can move together. */
export function linkFrom(page: string, file: string): string {
  const path = relative(dirname(page), file).split(sep).map(encodeURIComponent).join('/');
  return path.startsWith('.') ? path : `./${path}`;
}
