import { dirname, relative, sep } from 'node:path';

/** Where the reports of two compared runs lie, as a page or a reader finds them; null where there is none. */
export interface Places {
  readonly before: string | null;
  readonly after: string | null;
}

/** The address of a file in a link from another file: relative, so that both can be moved together. */
export function linkFrom(page: string, file: string): string {
  const path = relative(dirname(page), file).split(sep).map(encodeURIComponent).join('/');
  return path.startsWith('.') ? path : `./${path}`;
}
