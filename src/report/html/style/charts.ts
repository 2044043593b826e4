import { css } from './css.js';

/** Drawings: greys only, since a refused request is nothing wrong; what is neither served nor refused is marked. */
export const CHARTS = css`
  .figure {
    padding-top: 0.25rem;
    margin-bottom: 2.75rem;
  }
  .figure h3 {
    margin-top: 0;
    margin-bottom: 0.15rem;
  }
  .found {
    max-width: 60rem;
    margin-bottom: 0.5rem;
    line-height: 1.5;
  }
  .found li {
    display: grid;
    grid-template-columns: 6.5rem 1fr;
    font-size: 0.92rem;
  }
  .found li:first-child {
    font-size: 1rem;
  }
  .beside {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 21rem;
    gap: 1rem 2.5rem;
    align-items: start;
  }
  .tables table + table {
    margin-top: 1.1rem;
  }
  .tables table {
    font-size: 0.83rem;
  }
  .tables :is(th, td):not(:last-child) {
    padding-right: 0.7rem;
  }
  .plot {
    display: grid;
    grid-template-columns: 3.4rem minmax(0, 1fr) 4.2rem;
    column-gap: 0.6rem;
    font-size: 0.78rem;
    line-height: 1;
    color: var(--muted);
  }
  .plot svg {
    display: block;
    overflow: visible;
  }
  .plot svg svg {
    overflow: hidden;
  }
  .plot text {
    font: 11.5px var(--sans);
    fill: var(--muted);
    font-variant-numeric: tabular-nums;
  }
  .mark-numbers text {
    fill: var(--ink);
    font-weight: 650;
  }
  .scale {
    display: flex;
    flex-direction: column;
    justify-content: space-between;
    text-align: right;
  }
  .scale.lanes-scale {
    justify-content: space-around;
  }
  .scale.total {
    text-align: left;
    color: var(--ink);
  }
  .curve-name {
    align-self: start;
  }
  .lane-name {
    white-space: nowrap;
    text-align: right;
    align-self: end;
    padding-bottom: 2px;
  }
  .lane-total {
    color: var(--ink);
    align-self: end;
    padding-bottom: 2px;
  }
  .hair {
    stroke: var(--rule);
    stroke-width: 1;
  }
  .limit {
    stroke: var(--faint);
    stroke-width: 1;
    stroke-dasharray: 2 3;
  }
  .curve {
    border-bottom: 1px solid var(--faint);
  }
  .area {
    fill: var(--muted);
    opacity: 0.13;
  }
  .line {
    fill: none;
    stroke: var(--ink);
    stroke-width: 1.5;
    stroke-linejoin: round;
    vector-effect: non-scaling-stroke;
  }
  .fold-ground {
    fill: var(--paper);
  }
  .fold-edge {
    stroke: var(--faint);
    stroke-dasharray: 1 3;
  }
  .plot .fold-text {
    fill: var(--muted);
    font-style: italic;
  }
  .mark {
    stroke: var(--muted);
    stroke-width: 1;
    stroke-dasharray: 3 2;
  }
  .mark-window {
    opacity: 0.5;
  }
  .lane {
    border-bottom: 1px solid var(--rule);
    margin-top: 3px;
  }
  .lane path,
  .ban path {
    fill: none;
    stroke: var(--faint);
    stroke-width: 2;
    vector-effect: non-scaling-stroke;
  }
  .lane-refused path,
  .ban path.lane-refused {
    stroke: var(--ink);
  }
  .lane-other path,
  .ban path.lane-other {
    stroke: var(--warned);
  }
  .ban .band {
    fill: var(--muted);
    opacity: 0.15;
  }
  .plot .band-text {
    fill: var(--ink);
    paint-order: stroke;
    stroke: var(--paper);
    stroke-width: 4px;
    stroke-linejoin: round;
  }
  .latency svg {
    display: block;
    overflow: visible;
  }
  .latency .thin {
    stroke: var(--faint);
  }
  .latency .thick {
    stroke: var(--muted);
    stroke-width: 4;
  }
  .latency .tick {
    stroke: var(--ink);
    stroke-width: 1.5;
  }
  .latency circle {
    fill: var(--ink);
  }
  @media (max-width: 62rem) {
    .beside {
      grid-template-columns: minmax(0, 1fr);
    }
    .tables {
      display: grid;
      grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr));
      gap: 1rem 2rem;
      align-items: start;
    }
    .tables table + table {
      margin-top: 0;
    }
  }
  @media (max-width: 34rem) {
    .plot {
      grid-template-columns: 3.1rem minmax(0, 1fr) 2.4rem;
    }
    .curve-name {
      visibility: hidden;
    }
    .found li {
      display: block;
    }
    .tables :is(th, td):not(:last-child) {
      padding-right: 0.5rem;
    }
  }
`;
