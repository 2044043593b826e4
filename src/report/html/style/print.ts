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
      font-size: 8.75pt;
      line-height: 1.4;
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
    .finding ~ .finding ~ .finding,
    .findings tr:nth-child(n + 7),
    .card:not(.quiet) > summary .gist,
    .exchange ~ h4:has(+ .scroll),
    .exchange ~ .scroll,
    .on-screen,
    .catches {
      display: none;
    }
    .many .card:not(.quiet) > summary .gist {
      display: block;
    }
    .many .statement,
    .many .origin,
    .many .how,
    .many .exchange,
    .many .inside .on-paper,
    .many .finding ~ .finding,
    .many .findings tr:nth-child(n + 5),
    .many .inside > :not(.finding) + .finding h4,
    .many .inside > .note,
    .many .inside > .reason:has(.behind),
    .many .follows .finding,
    .many .follows .scroll,
    .many .o-inconclusive > .inside {
      display: none !important;
    }
    .many .inside .finding,
    .many .inside .reason {
      margin-top: 0;
    }
    .many .inside {
      padding-bottom: 0.3rem;
    }
    .on-paper {
      display: inline;
    }
    p.on-paper {
      display: block;
    }
    .wires {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
      gap: 0 0.75rem;
      align-items: stretch;
    }
    .wires > div {
      display: grid;
    }
    .inside {
      padding: 0 0 0.6rem 1.75rem;
    }
    .statement,
    .origin {
      display: inline;
      font-size: inherit;
    }
    .origin {
      margin-left: 0.5rem;
    }
    .origin .note,
    .reason br,
    .reason .remedy,
    .o-inconclusive .how {
      display: none;
    }
    p {
      max-width: none;
    }
    .inside .finding,
    .inside .exchange,
    .inside .reason,
    .inside .how {
      margin-top: 0.45rem;
    }
    .finding h4,
    .inside .how h4 {
      font-size: inherit;
      margin: 0;
    }
    .sides,
    .sides.short {
      display: flex;
      flex-wrap: wrap;
      gap: 0 2rem;
    }
    .sides > div {
      display: flex;
      gap: 0.5rem;
      border: 0;
      padding: 0;
    }
    .sides dt,
    .sides dd {
      font-size: 0.85rem;
    }
    .wire {
      font-size: 0.75rem;
      line-height: 1.35;
    }
    .exchange-head {
      margin-bottom: 0.15rem;
    }
    .wire {
      padding: 0.25rem 0.5rem;
    }
    .how h4,
    .how p {
      display: inline;
      font-size: 0.9rem;
    }
    .how h4::after {
      content: ': ';
    }
    .beside {
      zoom: 0.78;
      grid-template-columns: minmax(0, 1fr) 24rem;
      gap: 0.75rem 1.25rem;
    }
    .tables {
      display: block;
    }
    .tables table {
      font-size: 1rem;
    }
    .tables th:not(:last-child),
    .tables td:not(:last-child) {
      padding-right: 0.6rem;
    }
    .figure {
      margin-bottom: 1.25rem;
    }
    .tables th,
    .tables td,
    .latency th,
    .latency td,
    .matrix th,
    .matrix td,
    .observations th,
    .observations td {
      padding-top: 0.12rem;
      padding-bottom: 0.12rem;
    }
    .card > summary {
      padding: 0.22rem 0;
    }
    .many .card > summary {
      padding: 0.14rem 0;
    }
    .part {
      margin-top: 1.25rem;
    }
    .head {
      padding-top: 0;
    }
    h1 {
      font-size: 20pt;
    }
    main > section {
      padding-top: 1.4rem;
    }
    .map {
      padding-bottom: 0.5rem;
    }
    .map-row {
      padding: 0.15rem 0;
    }
    .head .fold::details-content,
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
    .lead,
    .exchange-head,
    .part-of-list {
      break-after: avoid;
    }
    .figure,
    .lead,
    .finding,
    .exchange,
    .map-row,
    .lines > li,
    .facts,
    .legend,
    tr {
      break-inside: avoid;
    }
    .card > summary {
      grid-template-columns: 1.75rem 14.5rem minmax(0, 1fr) auto;
    }
    .lines > li {
      grid-template-columns: 1.75rem 14.5rem minmax(0, 1fr);
      padding: 0.22rem 0;
    }
    main:has(.many) .lines > li {
      padding: 0.1rem 0;
    }
    .lines > .open-line {
      grid-template-columns: 1.75rem minmax(0, 3fr) minmax(0, 2fr);
    }
    .card > summary .gist,
    .card > summary .stands-on,
    .lines .says,
    .lines .names {
      grid-column: auto;
    }
    .map-row {
      grid-template-columns: 14.5rem 1fr;
    }
    .scroll {
      overflow: visible;
    }
    table,
    .findings,
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
