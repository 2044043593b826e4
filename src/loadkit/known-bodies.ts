import type { Finding } from '../judge/findings/finding.js';
import type { RequirementId } from '../base/interface/types.js';

/** Verdict on a body with its status code, content type and content encoding. */
export interface BodyVerdict {
  /** The response that it judges, as `getPet 200`. */
  readonly answer: string;
  readonly kept: readonly RequirementId[];
  readonly findings: readonly Finding[];
  /** Ids of the animals that a listing shows; empty for another body. */
  readonly shows: ReadonlySet<string>;
  /** True for a listing that lacks most of the animals that it should show. */
  readonly isShort: boolean;
  count: number;
}

/** Judged bodies of one request: a body that is equal in these has an equal verdict. */
export type Known = ReturnType<ReturnType<typeof knownBodies>['make']>;

/** Headers that the verdict on a body depends on. */
interface BodyHeaders {
  readonly contentType: string | null;
  readonly contentEncoding: string | null;
}

/** Most bodies to keep per request: replicas and changing stores alternate between a few. */
const MOST_BODIES = 4;
/** Most bytes of all kept bodies. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Creates memories of bodies with one common bound.
 *
 * @param forget receives each verdict that is no longer kept, with its count
 */
export function knownBodies(forget: (verdict: BodyVerdict) => void) {
  let held = 0;
  const every: { status: number; headers: BodyHeaders; bytes: Buffer; verdict: BodyVerdict }[][] = [];
  const make = () => {
    const seen: (typeof every)[number] = [];
    every.push(seen);
    return {
      find(status: number, headers: BodyHeaders, bytes: Buffer): BodyVerdict | null {
        const at = seen.findIndex(
          (one) => one.status === status && areEqual(one.headers, headers) && one.bytes.equals(bytes),
        );
        // The likeliest comes first.
        if (at > 0) seen.unshift(...seen.splice(at, 1));
        return at < 0 ? null : (seen[0]?.verdict ?? null);
      },
      add(status: number, headers: BodyHeaders, bytes: Buffer, verdict: BodyVerdict): void {
        if (held + bytes.length > MOST_BYTES) return forget(verdict);
        if (seen.length === MOST_BODIES) {
          const last = seen.pop();
          held -= last?.bytes.length ?? 0;
          if (last) forget(last.verdict);
        }
        held += bytes.length;
        // A copy, since the bytes may be a view of a larger buffer that would stay in memory.
        seen.unshift({ status, headers, bytes: Buffer.from(bytes), verdict });
      },
    };
  };
  const forgetAll = (): void =>
    every.forEach((seen) => seen.splice(0).forEach(({ verdict }) => forget(verdict)));
  return { make, forgetAll };
}

const areEqual = (one: BodyHeaders, other: BodyHeaders): boolean =>
  one.contentType === other.contentType && one.contentEncoding === other.contentEncoding;
