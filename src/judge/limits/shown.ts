import { counted, duration } from '../../base/kernel/format.js';
import { kept, violated, type Judgement, type ReasonCode } from '../findings/finding.js';

/**
 * What one key shows of a row. `once`: a fault that one chance could explain, seen once; another key that
 * shows it as well proves it. `open`: its answers do not decide.
 */
export type Shown =
  | { readonly kind: 'judged'; readonly judgement: Judgement }
  | {
      readonly kind: 'once';
      readonly violation: Judgement;
      readonly text: string;
      /** True if one chance may show on all keys together, as a refill at a beat of the clock. */
      readonly isShared: boolean;
    }
  | Open;

export interface Open {
  readonly kind: 'open';
  readonly code: ReasonCode;
  /** Without a full stop. */
  readonly text: string;
  /** True if nothing was spoiled: another key's answers may decide for all. */
  readonly isBlunt: boolean;
}

type Detail = NonNullable<Parameters<typeof violated>[2]>;

export const fault = (message: string, detail: Detail): Shown => ({
  kind: 'judged',
  judgement: violated([], message, detail),
});

/** Describes more requests than a limiter of the plan allows in a time, ms. */
export const tooMany = (most: number, got: number, ms: number): Detail => ({
  expected: `at most ${counted(most, 'request')} allowed in ${duration(ms)}`,
  actual: `${counted(got, 'request')} allowed`,
  measured: { most, got },
});

export const held = (message: string): Shown => ({ kind: 'judged', judgement: kept([], message) });

export const open = (code: ReasonCode, text: string): Open => ({ kind: 'open', code, text, isBlunt: false });

export const blunt = (code: ReasonCode, text: string): Open => ({ kind: 'open', code, text, isBlunt: true });

export const once = (message: string, detail: Detail, text: string, isShared = false): Shown => ({
  kind: 'once',
  violation: violated([], message, detail),
  text,
  isShared,
});

/**
 * A fault that was seen so often: twice is no chance.
 *
 * @param text what was seen, if once
 */
export const seen = (
  times: number,
  message: string,
  detail: Detail,
  text = `${detail.actual}, once`,
  isShared = false,
): Shown => (times > 1 ? fault(message, detail) : once(message, detail, text, isShared));
