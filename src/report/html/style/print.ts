import { css } from './css.js';

/** On paper: black on white, everything that is not green unfolded, nothing that only a screen can use. */
export const PRINT = css`
  @page {
    size: A4;
    margin: 15mm 14mm;
  }
  @media print {
    :root,
    :root[data-theme] {
      color-scheme: light;
      --paper: #fff;
      font-size: 9.5pt;
      line-height: 1.42;
    }
    * {
      print-color-adjust: exact;
      -webkit-print-color-adjust: exact;
    }
    body {
      max-width: none;
      padding: 0;
    }
    .contents,
    .skip,
    .copy,
    .map-hint,
    .tip,
    .neighbours {
      display: none !important;
    }
    .exchange ~ .exchange,
    .exchange ~ h4:has(+ .scroll),
    .exchange ~ .scroll,
    .on-screen,
    .catches {
      display: none;
    }
    .on-paper {
      display: inline;
    }
    p.on-paper {
      display: block;
    }
    .wires,
    .sides {
      grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
      gap: 0.5rem 1rem;
    }
    .sides {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    }
    .head {
      padding-top: 0;
    }
    h1 {
      font-size: 20pt;
    }
    main > section {
      padding-top: 1.75rem;
    }
    .map {
      padding-bottom: 0.5rem;
    }
    .map-row {
      padding: 0.15rem 0;
    }
    .card:not(.quiet)::details-content {
      content-visibility: visible;
      display: block;
    }
    .card:not(.quiet) > .inside {
      display: block;
    }
    h2,
    h3,
    h4,
    summary,
    .exchange-head,
    .part-of-list {
      break-after: avoid;
    }
    .figure,
    .finding,
    .map-row,
    .lines > li,
    .facts,
    .legend,
    tr {
      break-inside: avoid;
    }
    .card > summary,
    .lines > li {
      grid-template-columns: 1.75rem 14.5rem minmax(0, 1fr) auto;
    }
    .lines > li {
      grid-template-columns: 1.75rem 14.5rem minmax(0, 1fr);
    }
    .card > summary .gist,
    .card > summary .stands-on,
    .lines .says {
      grid-column: auto;
    }
    .lines .wide {
      grid-column: 2 / -1;
    }
    .map-row {
      grid-template-columns: 14.5rem 1fr;
    }
    .scroll {
      overflow: visible;
    }
    table,
    .observations,
    .matrix,
    .latency {
      min-width: 0;
    }
    .wire {
      border: 1px solid var(--rule);
    }
    a {
      text-decoration: none;
    }
  }
`;
