import type { VNode } from 'preact';
import { WORST_FIRST, type Outcome } from '../../../judge/verdict.js';

/** One shape per outcome, on a grid of 16. They differ without colour and at the size of a letter. */
const SHAPES: Readonly<Record<Outcome, VNode>> = {
  passed: <path d="M3.5 8.6 6.7 11.8 12.7 4.6" />,
  failed: <path d="M4.2 4.2 11.8 11.8 M11.8 4.2 4.2 11.8" />,
  warned: <path d="M8 3.2 V9.2 M8 12.4 V12.6" />,
  inconclusive: <path d="M5.4 5.9 C5.4 2.6 10.6 2.6 10.6 5.9 C10.6 8 8 7.8 8 9.9 M8 12.6 V12.8" />,
  observed: <circle cx="8" cy="8" r="2.6" />,
  'not-applicable': <path d="M4.5 8 H11.5" />,
  error: <path d="M8 2.6 14 13.2 H2 Z M8 6.6 V9.2 M8 11.2 V11.3" />,
};

/** Definitions of the shapes, once per page; `Glyph` refers to them. */
export const GlyphSheet = () => (
  <svg class="sheet" aria-hidden="true" width="0" height="0">
    {WORST_FIRST.map((outcome) => (
      <symbol id={`glyph-${outcome}`} viewBox="0 0 16 16">
        {SHAPES[outcome]}
      </symbol>
    ))}
  </svg>
);

/** Drawn in the current colour; the text next to it gives its meaning. */
export const Glyph = ({ outcome }: { readonly outcome: Outcome }) => (
  <svg class="glyph" aria-hidden="true" width="16" height="16">
    <use href={`#glyph-${outcome}`} />
  </svg>
);
