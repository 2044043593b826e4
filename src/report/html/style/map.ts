import { css } from './css.js';

/** The list to mend, and the map. */
export const MAP = css`
  .part-of-list {
    margin: 1.1rem 0 0.15rem;
    font-size: 0.85rem;
    color: var(--muted);
  }
  .part-of-list b {
    display: inline-block;
    width: 1.75rem;
    color: var(--ink);
  }
  .lines > li {
    display: grid;
    grid-template-columns: 1.75rem 15.5rem 1fr;
    align-items: baseline;
    padding: 0.42rem 0;
    border-bottom: 1px solid var(--rule);
    line-height: 1.45;
  }
  .lines .glyph {
    align-self: start;
    margin-top: 0.24rem;
  }
  .behind {
    display: block;
    color: var(--muted);
  }
  .lines .says {
    max-width: 52rem;
  }
  .lines > .open-line {
    grid-template-columns: 1.75rem minmax(0, 3fr) minmax(0, 2fr);
    column-gap: 0;
  }
  .open-line .says {
    padding-right: 2rem;
  }
  .open-line .names {
    font-size: 0.9rem;
    color: var(--muted);
  }
  .open-line .names .id {
    margin-right: 0.5rem;
    white-space: nowrap;
  }
  .map {
    position: relative;
    padding-bottom: 3.4rem;
  }
  .map-row {
    display: grid;
    grid-template-columns: 15.5rem 1fr;
    align-items: start;
    padding: 0.35rem 0;
  }
  .map-row h3 {
    font-size: 0.92rem;
    font-weight: 400;
    margin: 0;
    line-height: 26px;
  }
  .map-row h3 a {
    text-decoration: none;
  }
  .map-row h3 a:hover {
    text-decoration: underline;
  }
  .map-row h3 b {
    display: inline-block;
    width: 1.75rem;
  }
  .map-row ul {
    display: flex;
    flex-wrap: wrap;
    gap: 3px;
  }
  .cell {
    position: static;
    display: grid;
    place-items: center;
    width: 26px;
    height: 26px;
    border: 1px solid transparent;
    border-radius: 4px;
    color: var(--muted);
    text-decoration: none;
  }
  .cell .glyph {
    width: 14px;
    height: 14px;
  }
  .cell.o-passed {
    background: var(--passed-wash);
  }
  .cell.partly {
    background: linear-gradient(135deg, var(--passed-wash) 50%, var(--paper) 50%);
    border-color: var(--passed);
  }
  .cell.o-failed {
    background: var(--failed-solid);
  }
  .cell.o-failed > .glyph {
    color: var(--on-solid);
    stroke-width: 2.6;
  }
  .cell.o-error {
    border: 2px solid var(--failed);
  }
  .cell.o-warned {
    background: var(--warned-wash);
    border-color: var(--warned);
  }
  .cell.o-inconclusive {
    background: var(--unsure-wash);
    border: 1px dashed var(--unsure);
  }
  .cell.o-observed {
    background: var(--wash);
  }
  .cell.o-not-applicable {
    border-color: var(--rule);
  }
  .cell.changed {
    box-shadow:
      0 0 0 1px var(--paper),
      0 0 0 3px var(--ink);
  }
  .cell.dimmed {
    opacity: 0.18;
  }
  a.cell:hover,
  a.cell:focus-visible {
    outline: 2px solid var(--ink);
    outline-offset: 2px;
  }
  .tip,
  .map-hint {
    position: absolute;
    left: 0;
    right: 0;
    bottom: 0;
    height: 3rem;
    padding-top: 0.35rem;
    font-size: 0.88rem;
    line-height: 1.4;
    overflow: hidden;
    color: var(--muted);
    background: var(--paper);
  }
  .tip {
    visibility: hidden;
    color: var(--ink);
    z-index: 1;
    pointer-events: none;
  }
  .cell:hover > .tip,
  .cell:focus-visible > .tip {
    visibility: visible;
    z-index: 2;
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1.75rem;
    padding-top: 1rem;
    border-top: 1px solid var(--rule);
    font-size: 0.85rem;
    line-height: 1.35;
  }
  .legend li {
    display: flex;
    align-items: center;
    gap: 0.6rem;
  }
  .legend .cell {
    width: 22px;
    height: 22px;
    flex: none;
  }
  .legend .note {
    display: block;
  }
  @media (max-width: 56rem) {
    .map-row {
      grid-template-columns: 1fr;
      padding: 0.5rem 0;
    }
    .lines > li,
    .lines > .open-line {
      grid-template-columns: 1.75rem 1fr;
    }
    .lines .says,
    .lines .names {
      grid-column: 2;
    }
  }
  @media (max-width: 34rem) {
    .map {
      padding-bottom: 4.6rem;
    }
    .tip,
    .map-hint {
      height: 4.2rem;
    }
  }
`;
