import type { Finding } from '../findings/finding.js';
import type { RequirementId } from '../contract/types.js';

/** What a body was found to be, with the status and the label that it came with. */
export interface BodyVerdict {
  /** Rows that such an answer keeps. */
  readonly kept: readonly RequirementId[];
  readonly findings: readonly Finding[];
  /** How many answers it stands for. */
  count: number;
}

interface Seen {
  readonly status: number;
  readonly contentType: string | null;
  readonly bytes: Buffer;
  readonly verdict: BodyVerdict;
}

/** Bodies of one request that were judged before: equal bytes with an equal status and label have an equal verdict. */
export interface Known {
  find(status: number, contentType: string | null, bytes: Buffer): BodyVerdict | null;
  add(status: number, contentType: string | null, bytes: Buffer, verdict: BodyVerdict): void;
}

/** Replicas and stores that change alternate between a few bodies; more than this is a different answer each time. */
const MOST_BODIES = 4;
/** Bodies of all requests together that are kept, in bytes. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Makes memories of bodies that share one bound on what they hold. */
export interface KnownBodies {
  readonly make: () => Known;
  /** Hands over the verdicts of all that is still known. */
  readonly forgetAll: () => void;
}

/** @param forget is handed each verdict that no body is held against any more, with its count */
export function knownBodies(forget: (verdict: BodyVerdict) => void): KnownBodies {
  let held = 0;
  const every: Seen[][] = [];
  const make = (): Known => {
    const seen: Seen[] = [];
    every.push(seen);
    return {
      find(status, contentType, bytes) {
        for (let at = 0; at < seen.length; at += 1) {
          const one = seen[at];
          if (one === undefined || one.status !== status || one.contentType !== contentType || !one.bytes.equals(bytes))
            continue;
          // The likeliest comes first.
          if (at > 0) seen.unshift(...seen.splice(at, 1));
          return one.verdict;
        }
        return null;
      },
      add(status, contentType, bytes, verdict) {
        if (held + bytes.length > MOST_BYTES) return forget(verdict);
        if (seen.length === MOST_BODIES) {
          const last = seen.pop();
          held -= last?.bytes.length ?? 0;
          if (last) forget(last.verdict);
        }
        held += bytes.length;
        // A copy: the bytes may be a view of a larger piece that would be held with them.
        seen.unshift({ status, contentType, bytes: Buffer.from(bytes), verdict });
      },
    };
  };
  return { make, forgetAll: () => every.forEach((seen) => seen.splice(0).forEach(({ verdict }) => forget(verdict))) };
}
