import { css } from './css.js';

/**
 * Colours, type and the elements. Greys carry everything; colour stands for outcomes only. Each ink has at least 4.5:1
 * on paper and on its own wash in both themes; passed and failed differ in lightness and shape as well as in hue, so
 * that they stay apart for colour-blind readers.
 */
export const TOKENS = css`
  :root {
    color-scheme: light dark;
    --paper: light-dark(#fcfcfa, #141517);
    --ink: light-dark(#1b1b1a, #e9e7e3);
    --muted: light-dark(#5d5c58, #a8a59f);
    --faint: light-dark(#8d8b85, #76746f);
    --rule: light-dark(#e3e1db, #2d2f32);
    --wash: light-dark(#f4f3ef, #1c1e20);
    --link: light-dark(#1b1b1a, #e9e7e3);
    --passed: light-dark(#0a6a52, #5ccbab);
    --passed-wash: light-dark(#dcefe8, #14332b);
    --failed: light-dark(#b3261e, #ff9183);
    --failed-wash: light-dark(#fbe6e2, #421c18);
    --failed-solid: light-dark(#b3261e, #e4604f);
    --on-solid: light-dark(#ffffff, #16100f);
    --warned: light-dark(#835400, #ebb752);
    --warned-wash: light-dark(#faeccb, #382b0e);
    --unsure: light-dark(#4a4caa, #b0b3ff);
    --unsure-wash: light-dark(#eaeafa, #24264a);
    --sans:
      -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'Helvetica Neue', 'Liberation Sans', Arial, system-ui,
      sans-serif;
    --mono: ui-monospace, 'SF Mono', SFMono-Regular, Menlo, Consolas, 'Cascadia Mono', 'Liberation Mono', monospace;
    --measure: 42rem;
    --bar: 3.25rem;
  }
  :root[data-theme='light'] {
    color-scheme: light;
  }
  :root[data-theme='dark'] {
    color-scheme: dark;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  html {
    font: 400 16px/1.55 var(--sans);
    color: var(--ink);
    background: var(--paper);
    scroll-padding-top: calc(var(--bar) + 1rem);
    -webkit-text-size-adjust: 100%;
    text-size-adjust: 100%;
  }
  body {
    max-width: 72rem;
    margin: 0 auto;
    padding: 0 clamp(1.1rem, 4vw, 2.5rem) 6rem;
    overflow-wrap: anywhere;
    font-variant-numeric: tabular-nums;
  }
  h1,
  h2,
  h3,
  h4,
  h5,
  p,
  ul,
  dl,
  dd,
  pre {
    margin: 0;
    padding: 0;
  }
  ul {
    list-style: none;
  }
  h1,
  h2,
  h3 {
    text-wrap: balance;
  }
  h2 {
    font-size: 1.45rem;
    line-height: 1.25;
    font-weight: 650;
    letter-spacing: -0.012em;
    margin: 0 0 0.9rem;
  }
  h3 {
    font-size: 1.02rem;
    line-height: 1.4;
    font-weight: 650;
    margin: 2rem 0 0.5rem;
  }
  main > section {
    padding-top: 4.25rem;
  }
  main > section:first-child {
    padding-top: 2.5rem;
  }
  p,
  .lead {
    max-width: var(--measure);
  }
  .lead {
    color: var(--muted);
    margin-bottom: 1.25rem;
  }
  a {
    color: var(--link);
    text-decoration-line: underline;
    text-decoration-color: var(--faint);
    text-decoration-thickness: 1px;
    text-underline-offset: 0.18em;
  }
  a:hover {
    text-decoration-color: currentcolor;
    text-decoration-thickness: 2px;
  }
  :focus-visible {
    outline: 2px solid var(--ink);
    outline-offset: 2px;
    border-radius: 2px;
  }
  code,
  pre,
  .id,
  kbd {
    font-family: var(--mono);
    font-size: 0.875em;
  }
  .note,
  .sep {
    color: var(--muted);
    font-weight: 400;
  }
  .remedy {
    color: var(--muted);
  }
  .sheet,
  [hidden] {
    display: none !important;
  }
  .on-paper {
    display: none;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .hidden-character {
    font: 0.72em/1 var(--mono);
    padding: 0.1em 0.3em;
    border: 1px solid;
    border-radius: 3px;
    opacity: 0.85;
    white-space: nowrap;
  }
  .glyph {
    fill: none;
    stroke: currentcolor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
    flex: none;
    vertical-align: -0.14em;
  }
  .ink-failed,
  .ink-error,
  .o-failed > .glyph,
  .o-error > .glyph {
    color: var(--failed);
  }
  .ink-passed,
  .o-passed > .glyph {
    color: var(--passed);
  }
  .ink-warned,
  .o-warned > .glyph {
    color: var(--warned);
  }
  .ink-inconclusive,
  .o-inconclusive > .glyph {
    color: var(--unsure);
  }
  .ink-observed,
  .ink-not-applicable,
  .o-observed > .glyph,
  .o-not-applicable > .glyph {
    color: var(--muted);
  }
  .fill-failed,
  .fill-error {
    fill: var(--failed-solid);
  }
  .fill-inconclusive {
    fill: var(--unsure);
  }
  .fill-warned {
    fill: var(--warned);
  }
  .fill-passed {
    fill: var(--passed);
  }
`;
