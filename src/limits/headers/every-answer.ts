import { wasRefused } from '../answers.js';
import type { Fold } from '../fold.js';
import { presence, type Presence } from './headers-present.js';
import { headerForm, type Form } from './headers-wellformed.js';
import { limitValues, type LimitValues } from './limit-value.js';
import type { Sample } from '../sample.js';
import type { Figures } from '../series.js';

/** What the rows that speak of every answer have to know of one key's. */
export interface EveryAnswer {
  readonly presence: Presence;
  readonly form: Form;
  readonly limits: LimitValues;
  /** All that were refused with 429: no profile goes on for long after one. */
  readonly refusals: readonly Sample[];
}

/** Looks at every answer that a key got. */
export function everyAnswer(figures: Figures): Fold<EveryAnswer> {
  const [form, limits] = [headerForm(figures), limitValues(figures)];
  return {
    none: { presence: presence.none, form: form.none, limits: limits.none, refusals: [] },
    with: (seen, sample) => ({
      presence: presence.with(seen.presence, sample),
      form: form.with(seen.form, sample),
      limits: limits.with(seen.limits, sample),
      refusals: wasRefused(sample) ? [...seen.refusals, sample] : seen.refusals,
    }),
  };
}
