import { css } from './css.js';

/** Tables: dense and right-aligned for figures, roomy for texts. */
export const TABLES = css`
  .scroll {
    overflow-x: auto;
  }
  table {
    border-collapse: collapse;
    width: 100%;
    font-size: 0.88rem;
    line-height: 1.45;
  }
  th,
  td {
    padding: 0.35rem 1.1rem 0.35rem 0;
    text-align: left;
    vertical-align: baseline;
    font-weight: 400;
  }
  th:last-child,
  td:last-child {
    padding-right: 0;
  }
  thead th {
    color: var(--muted);
    font-size: 0.8rem;
    vertical-align: bottom;
    border-bottom: 1px solid var(--faint);
  }
  tbody td,
  tbody th {
    border-bottom: 1px solid var(--rule);
  }
  .dense th,
  .dense td {
    text-align: right;
    white-space: nowrap;
  }
  .dense th:first-child,
  .dense td.left,
  .dense th.left {
    text-align: left;
  }
  .dense td.left {
    white-space: normal;
  }
  .marks th:first-child {
    width: 2.75rem;
  }
  .marks td:nth-child(2) {
    width: 4.5rem;
  }
  .latency td.left {
    white-space: nowrap;
  }
  .traffic td.left {
    min-width: 16rem;
  }
  .animals {
    width: auto;
    min-width: 20rem;
  }
  .animals td:first-child {
    padding-right: 2rem;
  }
  .observations {
    min-width: 44rem;
    table-layout: fixed;
  }
  .observations thead th:first-child {
    width: 31%;
  }
  .observations thead th:nth-child(2) {
    width: 19%;
  }
  .observations thead th:last-child {
    width: 9%;
  }
  .observations tbody th .note {
    display: block;
  }
  .observations tbody th,
  .observations tbody td {
    vertical-align: top;
  }
  .tried {
    width: auto;
  }
  .tried td:first-child {
    text-align: left;
  }
  .tried td.left {
    min-width: 14rem;
  }
  .tried .kind th {
    padding-top: 0.9rem;
    font-weight: 600;
  }
  .matrix {
    min-width: 40rem;
  }
  .matrix td:nth-child(2) {
    width: 40%;
  }
  .latency {
    min-width: 44rem;
  }
  .latency .range {
    width: 42%;
    vertical-align: middle;
  }
  .latency .range,
  .latency .range-head {
    padding-left: 1rem;
  }
  .scope > div,
  .identity > div {
    display: grid;
    grid-template-columns: minmax(12rem, 1fr) 2fr;
    gap: 0.15rem 1.75rem;
    padding: 0.4rem 0;
    border-bottom: 1px solid var(--rule);
    font-size: 0.9rem;
  }
  .scope > div {
    grid-template-columns: 1fr 1fr;
  }
  .scope dd .id {
    margin-right: 0.5rem;
  }
  .identity {
    margin-top: 0.9rem;
  }
  .identity dt {
    color: var(--muted);
  }
  .fold {
    margin: 0.6rem 0;
  }
  .fold > summary {
    cursor: pointer;
    padding: 0.25rem 0;
    width: fit-content;
  }
  .fold[open] > summary {
    margin-bottom: 0.5rem;
  }
  @media (max-width: 40rem) {
    .scope > div,
    .identity > div {
      grid-template-columns: 1fr;
    }
  }
`;
