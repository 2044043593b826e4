import { css } from '../html/style/css.js';

/** What pages about several runs have besides the looks of a run's page. */
export const ACROSS = css`
  .day {
    white-space: nowrap;
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0.3rem 1.2rem;
    max-width: none;
    margin: 0.75rem 0 0.5rem;
    color: var(--muted);
    font-size: 0.85rem;
  }
  .legend i {
    display: inline-block;
    width: 0.8rem;
    height: 1rem;
    margin-right: 0.35rem;
    vertical-align: -0.15rem;
  }
  .c-f,
  .c-e {
    --h: 100%;
    --c: var(--failed-solid);
  }
  .c-i {
    --h: 72%;
    --c: var(--unsure);
  }
  .c-w {
    --h: 54%;
    --c: var(--warned);
  }
  .c-p {
    --h: 34%;
    --c: var(--passed);
  }
  .c-o {
    --h: 20%;
    --c: var(--muted);
  }
  .c-n {
    --h: 8%;
    --c: var(--faint);
  }
  .cells a,
  .legend i {
    background: linear-gradient(var(--c), var(--c)) bottom / 100% var(--h) no-repeat;
    print-color-adjust: exact;
    -webkit-print-color-adjust: exact;
  }
  .cells .c-s,
  .legend .c-s {
    background: none;
    border: 1px dashed var(--faint);
  }
  .tracks {
    table-layout: fixed;
  }
  .tracks td,
  .tracks tbody th {
    vertical-align: middle;
  }
  .tracks thead th:first-child {
    width: 15.5rem;
  }
  .tracks thead th:last-child {
    width: 17rem;
  }
  .tracks td:last-child {
    font-size: 0.85rem;
  }
  .tracks .id {
    display: block;
  }
  .tracks .verdict-row > * {
    padding-block: 0.55rem;
  }
  .cells {
    display: flex;
    gap: 1px;
    height: 1.35rem;
  }
  .cells > * {
    flex: 1 1 0;
    min-width: 0;
    max-width: 1.5rem;
  }
  .cells > .week {
    flex-grow: 0.45;
  }
  .cells > .week + :not(.week) {
    margin-left: 5px;
  }
  .cells a:hover,
  .cells a:focus-visible {
    outline: 2px solid var(--ink);
    outline-offset: 1px;
  }
  .span {
    display: flex;
    justify-content: space-between;
    gap: 1rem;
  }
  .sparks {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 2.2rem;
    margin-top: 1.1rem;
    font-size: 0.9rem;
  }
  .sparks dt {
    color: var(--muted);
    font-size: 0.8rem;
  }
  .sparks dd {
    display: flex;
    align-items: center;
    gap: 0.6rem;
  }
  .spark {
    width: 7rem;
    height: 1.5rem;
    overflow: visible;
  }
  .spark path {
    fill: none;
    stroke: var(--muted);
    stroke-width: 1.5;
    vector-effect: non-scaling-stroke;
  }
  .runs {
    min-width: 46rem;
  }
  .runs td,
  .runs th {
    white-space: nowrap;
  }
  .runs td.wide {
    white-space: normal;
    min-width: 14rem;
  }
  .runs .number {
    text-align: right;
  }
  details.week {
    border-bottom: 1px solid var(--rule);
  }
  details.week > summary {
    padding: 0.35rem 0;
    cursor: pointer;
    font-size: 0.9rem;
  }
  .sides2 {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    gap: 0 2rem;
    margin-top: 0.9rem;
  }
  .sides2 > div {
    border-top: 2px solid var(--faint);
    padding-top: 0.4rem;
  }
  .sides2 > div > h4 {
    margin: 0 0 0.35rem;
    font-size: 0.88rem;
    font-weight: 400;
    color: var(--muted);
  }
  .sides2 .state {
    font-weight: 650;
  }
  .change {
    padding: 1.1rem 0 1.4rem;
    border-bottom: 1px solid var(--rule);
  }
  .change h3 {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0.15rem 0.7rem;
    margin: 0;
  }
  .change h3 .glyph {
    align-self: center;
  }
  .change .statement {
    margin-top: 0.2rem;
    font-size: 1rem;
  }
  .pair {
    table-layout: fixed;
  }
  .pair thead th:first-child {
    width: 15.5rem;
  }
  .pair td {
    vertical-align: top;
  }
  .value {
    font-family: var(--mono);
    font-size: 0.85rem;
  }
  .number {
    text-align: right;
  }
  .two-runs {
    width: auto;
    margin-top: 1.5rem;
    font-size: 0.94rem;
  }
  .two-runs td,
  .two-runs th {
    padding-right: 2rem;
  }
  .two-runs th {
    white-space: nowrap;
  }
  /* A short name stands in one line, however long the verdict beside it is. */
  .two-runs td {
    min-width: 6rem;
  }
  .remarks {
    margin-top: 1rem;
    max-width: 44rem;
    color: var(--muted);
    font-size: 0.92rem;
  }
  @media (max-width: 56rem) {
    .tracks thead {
      display: none;
    }
    .tracks,
    .tracks tbody,
    .tracks tr,
    .tracks td,
    .tracks tbody th {
      display: block;
      padding: 0;
      border: 0;
    }
    .tracks tr {
      padding: 0.5rem 0 0.6rem;
      border-bottom: 1px solid var(--rule);
    }
    .tracks .verdict-row > * {
      padding-block: 0;
    }
    .cells {
      margin: 0.2rem 0;
    }
    .pair thead th:first-child {
      width: 32%;
    }
  }
  @media (max-width: 40rem) {
    .sides2 {
      grid-template-columns: minmax(0, 1fr);
      gap: 0.9rem;
    }
    .two-runs,
    .two-runs tbody,
    .two-runs tr,
    .two-runs td,
    .two-runs th {
      display: block;
      width: auto;
      border: 0;
      padding: 0;
    }
    .two-runs thead {
      display: none;
    }
    .two-runs tr {
      padding: 0.5rem 0;
      border-bottom: 1px solid var(--rule);
    }
  }
  @page {
    size: A4;
    margin: 15mm 14mm;
  }
  @media print {
    :root {
      color-scheme: light;
      --paper: #fff;
      font-size: 8.75pt;
      line-height: 1.4;
    }
    body {
      max-width: none;
      padding: 0;
    }
    .scroll {
      overflow: visible;
    }
    .runs {
      min-width: 0;
    }
    main > section {
      padding-top: 1.5rem;
    }
    tr,
    .change {
      break-inside: avoid;
    }
    h2,
    h3 {
      break-after: avoid;
    }
  }
`;
