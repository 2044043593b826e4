import { css } from './css.js';

/** A load run's page: figures over time in greys, what went wrong in the colours of outcomes. */
export const CAPACITY = css`
  .time-plot {
    display: grid;
    grid-template-columns: 4.2rem minmax(0, 1fr);
    column-gap: 0.6rem;
    font-size: 0.78rem;
    line-height: 1;
    color: var(--muted);
    margin-bottom: 0.4rem;
  }
  .time-plot svg {
    display: block;
    overflow: visible;
  }
  .time-plot svg svg {
    overflow: hidden;
  }
  .time-plot text {
    font: 11.5px var(--sans);
    fill: var(--muted);
    font-variant-numeric: tabular-nums;
  }
  .time-plot .phase-name {
    fill: var(--ink);
    font-weight: 650;
  }
  .time-plot .plot-area {
    border-bottom: 1px solid var(--faint);
  }
  .time-plot .band {
    fill: var(--muted);
    opacity: 0.07;
  }
  .time-plot .phase-edge {
    stroke: var(--rule);
  }
  .time-plot .series,
  .percentile-plot .series {
    fill: none;
    stroke-linejoin: round;
    vector-effect: non-scaling-stroke;
  }
  .series-p99,
  .series-sent,
  .series-0 {
    stroke: var(--ink);
    stroke-width: 1.7;
  }
  .series-p90,
  .series-served,
  .series-1 {
    stroke: var(--muted);
    stroke-width: 1.4;
  }
  .series-p50,
  .series-2 {
    stroke: var(--faint);
    stroke-width: 1.4;
  }
  .series-max,
  .series-3 {
    stroke: var(--faint);
    stroke-width: 1;
    stroke-dasharray: 2 3;
  }
  .series-4,
  .series-5 {
    stroke: var(--muted);
    stroke-width: 1.2;
    stroke-dasharray: 6 3;
  }
  .series-bound {
    stroke: var(--unsure);
    stroke-width: 1;
    stroke-dasharray: 5 4;
  }
  .area-served {
    fill: var(--muted);
    opacity: 0.16;
  }
  .bars-errors {
    stroke: var(--warned);
  }
  .bars-violations {
    stroke: var(--failed-solid);
  }
  .bars-dropped,
  .bars-behind {
    stroke: var(--unsure);
  }
  .bars-refused {
    stroke: var(--ink);
  }
  .bars {
    fill: none;
    stroke-width: 3;
    vector-effect: non-scaling-stroke;
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0.3rem 1.4rem;
    margin: 0.2rem 0 0.9rem;
    font-size: 0.85rem;
    color: var(--muted);
  }
  .legend svg {
    display: inline-block;
    vertical-align: 0.2em;
    margin-right: 0.4rem;
  }
  .legend line {
    fill: none;
  }
  .thresholds td:first-child,
  .thresholds th:first-child {
    white-space: nowrap;
  }
  .thresholds .glyph {
    margin-right: 0.45rem;
  }
  .capacity-table {
    min-width: 52rem;
  }
  .capacity-table tr.whole th,
  .capacity-table tr.whole td {
    font-weight: 600;
    padding-top: 0.7rem;
  }
  .capacity-table tr.part th {
    padding-left: 1.1rem;
    color: var(--muted);
  }
  .violation {
    padding: 1.1rem 0 0.4rem;
    border-top: 1px solid var(--rule);
  }
  .violation h3 {
    margin: 0 0 0.4rem;
  }
`;
