import type { Exchange } from '../exchange/types.js';

/** A request of a test of one's own. */
export interface Asked {
  /** GET unless given. */
  readonly method?: string;
  /** Below the base address, e.g. `/pets`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is, anything else as JSON. */
  readonly body?: unknown;
  /** Whether the run's key goes along; it does unless this is false. */
  readonly key?: boolean;
}

/** What came back. Where no whole answer came the requirement is not established, and the test ends there. */
export interface Answer {
  /** Names it in the reports. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** The value of a header, whatever its case; several are joined by commas. */
  readonly header: (this: void, name: string) => string | null;
  readonly text: string;
  /** The body as JSON.parse reads it; undefined where it is none. */
  readonly json: unknown;
  /** From sending to the last byte. */
  readonly latencyMs: number;
}

/** An exchange as a test sees it; null where no whole answer came. */
export function answerOf({ id, request, answer, latencyMs }: Exchange): Answer | null {
  if (answer.kind === 'none') return null;
  const { status, headers, text } = answer;
  return {
    id,
    method: request.method,
    path: request.path,
    status,
    header: (name) => {
      const values = headers.flatMap(([each, value]) => (each.toLowerCase() === name.toLowerCase() ? [value] : []));
      return values.length === 0 ? null : values.join(', ');
    },
    text,
    json: parsed(text),
    latencyMs,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
