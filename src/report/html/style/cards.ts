import { css } from './css.js';

/** The requirements: lines that unfold into cards. */
export const CARDS = css`
  .part {
    margin-top: 2.25rem;
  }
  .part > h3 {
    margin: 0 0 0.35rem;
    padding-bottom: 0.4rem;
    border-bottom: 1px solid var(--faint);
  }
  .part > h3 b {
    display: inline-block;
    width: 1.75rem;
  }
  .part > h3 .note {
    font-size: 0.88rem;
    margin-left: 0.6rem;
  }
  .card {
    border-bottom: 1px solid var(--rule);
  }
  .card > summary {
    display: grid;
    grid-template-columns: 1.75rem 15.5rem minmax(0, 1fr) auto;
    align-items: baseline;
    column-gap: 0;
    padding: 0.42rem 0;
    cursor: pointer;
    list-style: none;
  }
  .card > summary::-webkit-details-marker {
    display: none;
  }
  .card > summary:hover {
    background: var(--wash);
  }
  .card > summary .glyph {
    align-self: start;
    margin-top: 0.27rem;
  }
  .card.o-failed > summary .glyph,
  .card.o-error > summary .glyph {
    color: var(--failed);
  }
  .card.o-passed > summary .glyph {
    color: var(--passed);
  }
  .card.o-warned > summary .glyph {
    color: var(--warned);
  }
  .card.o-inconclusive > summary .glyph {
    color: var(--unsure);
  }
  .card.o-observed > summary .glyph,
  .card.o-not-applicable > summary .glyph {
    color: var(--muted);
  }
  .card:not(.quiet) > summary .id {
    font-weight: 700;
  }
  .title {
    padding-right: 1rem;
  }
  .level {
    font-size: 0.75rem;
    color: var(--muted);
    border: 1px solid var(--rule);
    border-radius: 3px;
    padding: 0 0.3rem;
    white-space: nowrap;
  }
  .level.change {
    color: var(--ink);
    border-color: var(--ink);
  }
  .gist {
    font-size: 0.94rem;
  }
  .quiet .gist {
    color: var(--muted);
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .stands-on {
    font-size: 0.85rem;
    padding-left: 1.5rem;
    text-align: right;
  }
  .inside {
    padding: 0.35rem 0 1.75rem 1.75rem;
    scroll-margin-top: calc(var(--bar) + 4rem);
    outline: none;
  }
  .statement {
    font-size: 1.06rem;
    line-height: 1.5;
  }
  .origin {
    max-width: none;
    font-size: 0.88rem;
    margin-top: 0.2rem;
  }
  .reason {
    margin-top: 0.8rem;
  }
  .inside h4 {
    font-size: 0.88rem;
    font-weight: 650;
    margin: 1.25rem 0 0.2rem;
    max-width: 60rem;
  }
  .finding {
    margin-top: 1.25rem;
  }
  .finding h4 {
    font-size: 1rem;
    margin: 0 0 0.5rem;
  }
  .finding h4 .note {
    font-size: 0.85rem;
  }
  .sides {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 0 1.5rem;
  }
  .sides.short {
    grid-template-columns: repeat(2, minmax(0, 22rem));
  }
  .sides > div {
    border-top: 2px solid var(--faint);
    padding-top: 0.35rem;
  }
  .sides dt {
    font-size: 0.8rem;
    color: var(--muted);
  }
  .sides dd {
    white-space: pre-wrap;
    font: 0.875rem/1.5 var(--mono);
  }
  mark {
    color: inherit;
    border-radius: 2px;
    padding: 0.05em 0.12em;
    margin: 0 -0.12em;
    box-decoration-break: clone;
    -webkit-box-decoration-break: clone;
  }
  mark.ins {
    background: var(--passed-wash);
    box-shadow: inset 0 -2px 0 var(--passed);
  }
  mark.del {
    background: var(--failed-wash);
    box-shadow: inset 0 -2px 0 var(--failed);
  }
  .exchange {
    margin-top: 1.25rem;
    position: relative;
  }
  .exchange-head {
    max-width: none;
    font-size: 0.9rem;
    margin-bottom: 0.4rem;
  }
  summary.exchange-head {
    cursor: pointer;
    width: fit-content;
  }
  .exchange + details.exchange {
    margin-top: 0.75rem;
  }
  .findings {
    margin-top: 1.1rem;
    min-width: 36rem;
  }
  .findings thead th:not(:first-child) {
    width: 20%;
  }
  .findings thead th:last-child {
    width: 9rem;
  }
  .findings td:not(.note) {
    font-family: var(--mono);
  }
  .exchange-head b {
    font-weight: 650;
    margin-right: 0.35rem;
  }
  .wires {
    display: grid;
    grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
    gap: 0.6rem 1.1rem;
    align-items: start;
  }
  .wire + h5 {
    margin-top: 0.7rem;
  }
  h5 {
    font-size: 0.8rem;
    font-weight: 400;
    color: var(--muted);
    margin: 0 0 0.15rem;
  }
  .wire {
    background: var(--wash);
    border-radius: 4px;
    padding: 0.7rem 0.9rem;
    font-size: 0.82rem;
    line-height: 1.55;
    white-space: pre-wrap;
    overflow: clip;
    direction: ltr;
    unicode-bidi: isolate;
    tab-size: 4;
  }
  .wire code {
    font-size: inherit;
  }
  .wire i,
  .wire .header-name {
    color: var(--muted);
    font-style: normal;
  }
  .copy {
    float: right;
    height: 1.8rem;
    margin: 0.35rem 0.35rem 0 0.75rem;
    padding: 0 0.55rem;
    font-size: 0.78rem;
    background: var(--paper);
    position: relative;
  }
  .observed > div {
    display: grid;
    grid-template-columns: minmax(10rem, 1fr) 2fr;
    gap: 0 1.5rem;
    padding: 0.2rem 0;
    font-size: 0.92rem;
  }
  .observed dt {
    color: var(--muted);
  }
  .sentences {
    font-size: 0.92rem;
  }
  .flaws {
    font-size: 0.92rem;
    columns: 2 22rem;
    column-gap: 2.5rem;
  }
  .flaws li {
    break-inside: avoid;
    padding: 0.1rem 0;
  }
  .flaws code {
    font-size: 0.78rem;
  }
  .neighbours {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 2rem;
    max-width: none;
    margin-top: 1.4rem;
    font-size: 0.88rem;
    color: var(--muted);
  }
  .found-count {
    color: var(--muted);
    font-size: 0.9rem;
  }
  @media (max-width: 34rem) {
    .findings {
      min-width: 0;
    }
    .findings th,
    .findings td {
      padding-right: 0.6rem;
    }
    .findings thead th:last-child {
      width: 17%;
    }
  }
  @media (max-width: 56rem) {
    .card > summary {
      grid-template-columns: 1.75rem minmax(0, 1fr);
    }
    .gist,
    .stands-on {
      grid-column: 2;
      padding-left: 0;
      text-align: left;
    }
    .quiet .gist {
      font-size: 0.88rem;
    }
    .inside {
      padding-left: 0;
    }
    .wires,
    .sides {
      grid-template-columns: minmax(0, 1fr);
      gap: 0.6rem;
    }
    .sides.short {
      grid-template-columns: repeat(2, minmax(0, 1fr));
      gap: 0 1rem;
    }
  }
`;
