import type { OperationName } from '../../base/interface/types.js';

export interface RequestTarget {
  /** The declared operation (part 4); null for any other path or method, which the interface does not show. */
  readonly operation: OperationName | null;
  /** True for a path that is the base path or below it. */
  readonly belowBase: boolean;
  /** Path below the base path, as sent; '' outside of it. */
  readonly path: string;
  /** Identifier of `GET /pets/{petId}`, its escapes decoded; null elsewhere. */
  readonly petId: string | null;
  readonly query: URLSearchParams;
}

/** Reads method and target as sent, from the root of the origin. Pure; never throws. */
export function parseRequestTarget(
  { method, target }: { readonly method: string; readonly target: string },
  basePath: string,
): RequestTarget {
  const [path = '', query = ''] = splitOnce(target.replace(ORIGIN, ''), '?');
  const belowBase = path === basePath || path.startsWith(`${basePath}/`);
  const below = belowBase ? path.slice(basePath.length) : '';
  const petId = /^\/pets\/([^/]+)$/.exec(below)?.[1];
  // Methods are case-sensitive (RFC 9110, 9.1). Some recorders write them in lower case.
  const verb = method.toUpperCase();
  const operation: OperationName | null =
    below === '/pets' && verb === 'GET'
      ? 'listPets'
      : below === '/pets' && verb === 'POST'
        ? 'createPet'
        : petId !== undefined && verb === 'GET'
          ? 'getPet'
          : null;
  return {
    operation,
    belowBase,
    path: below,
    petId: operation === 'getPet' ? decoded(petId ?? '') : null,
    query: new URLSearchParams(query),
  };
}

/** Scheme and host of a target in absolute form, which servers must accept (RFC 9112, 3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** Returns the address of a target, which may be in absolute form. */
export const addressOf = (origin: string, target: string): string =>
  ORIGIN.test(target) ? target : origin + target;

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** Returns a part of a target without its percent escapes; as it is, if these are no UTF-8. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
