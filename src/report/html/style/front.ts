import { css } from './css.js';

/** The first screen. */
export const FRONT = css`
  .skip {
    position: absolute;
    left: -99rem;
  }
  .skip:focus {
    left: 1rem;
    top: 1rem;
    padding: 0.5rem 1rem;
    background: var(--paper);
    z-index: 3;
  }
  .head {
    padding-top: clamp(1.75rem, 5vw, 3.5rem);
  }
  .cut-short {
    display: flex;
    gap: 0.75rem;
    padding: 0.9rem 1.1rem;
    margin-bottom: 2rem;
    color: var(--on-solid);
    background: var(--failed-solid);
    border-radius: 4px;
  }
  .cut-short .glyph {
    margin-top: 0.3rem;
  }
  .cut-short p {
    max-width: 60rem;
  }
  .verdict-word {
    max-width: none;
    display: flex;
    align-items: center;
    gap: 0.45rem;
    font-weight: 650;
    margin-bottom: 0.6rem;
  }
  .verdict-word .judge {
    margin-left: auto;
    color: var(--muted);
    font-size: 0.88rem;
    font-weight: 400;
  }
  .verdict-conformant .verdict-word {
    color: var(--passed);
  }
  .verdict-non-conformant .verdict-word,
  .verdict-error .verdict-word {
    color: var(--failed);
  }
  .verdict-inconclusive .verdict-word {
    color: var(--unsure);
  }
  h1 {
    font-size: clamp(1.55rem, 1.05rem + 2.1vw, 2.55rem);
    line-height: 1.17;
    font-weight: 600;
    letter-spacing: -0.021em;
    max-width: 26em;
    text-wrap: balance;
  }
  .what-to-do {
    margin-top: 0.9rem;
    max-width: 44rem;
    font-size: 1.15rem;
  }
  .bounds {
    margin-top: 0.7rem;
    max-width: 44rem;
    color: var(--muted);
  }
  .proportions {
    margin-top: 1.6rem;
  }
  .proportions svg {
    display: block;
    border-radius: 3px;
  }
  .proportions rect {
    stroke: var(--paper);
    stroke-width: 1.5;
  }
  .proportions p {
    max-width: none;
    margin-top: 0.5rem;
    font-size: 0.94rem;
  }
  .facts {
    display: flex;
    flex-wrap: wrap;
    gap: 0.9rem 2.1rem;
    margin-top: 1.6rem;
    font-size: 0.9rem;
    line-height: 1.4;
  }
  .facts dt {
    color: var(--muted);
    font-size: 0.8rem;
  }
  .facts .note {
    display: block;
    font-size: 0.8rem;
  }
  .asides {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr));
    gap: 1.25rem 3rem;
    margin-top: 1.75rem;
    padding-top: 1.25rem;
    border-top: 1px solid var(--rule);
    font-size: 0.92rem;
    line-height: 1.5;
  }
  .asides h2 {
    font-size: 0.92rem;
    letter-spacing: 0;
    margin: 0 0 0.25rem;
  }
  .asides p + p {
    margin-top: 0.3rem;
  }
  .reasons li {
    padding-left: 0.9rem;
    text-indent: -0.9rem;
  }
  .reasons li::before {
    content: '–';
    display: inline-block;
    width: 0.9rem;
    text-indent: 0;
    color: var(--faint);
  }
  @media (max-width: 72rem) {
    .facts {
      display: grid;
      grid-template-columns: repeat(3, auto);
      justify-content: start;
      gap: 0.9rem 3rem;
    }
  }
  @media (max-width: 34rem) {
    .verdict-word {
      flex-wrap: wrap;
    }
    .verdict-word .word {
      flex: 1;
    }
    .verdict-word .judge {
      margin-left: 0;
      width: 100%;
      order: -1;
      margin-bottom: 0.4rem;
    }
    .facts {
      display: grid;
      grid-template-columns: 1fr 1fr;
      gap: 0.8rem 1.25rem;
    }
  }
`;
