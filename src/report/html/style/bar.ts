import { css } from './css.js';

/** The bar with the sections and the tools, and the buttons. */
export const BAR = css`
  .contents {
    position: sticky;
    top: 0;
    z-index: 2;
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem 1.5rem;
    height: var(--bar);
    margin-top: 2rem;
    background: var(--paper);
    border-bottom: 1px solid var(--rule);
    font-size: 0.9rem;
  }
  .contents ul {
    min-width: 0;
    max-width: 100%;
    display: flex;
    gap: 1.35rem;
    overflow-x: auto;
    scrollbar-width: none;
  }
  .contents li a {
    display: block;
    padding: 0.5rem 0;
    color: var(--muted);
    text-decoration: none;
    white-space: nowrap;
  }
  .contents li a:hover {
    color: var(--ink);
  }
  .tools {
    min-width: 0;
    max-width: 100%;
    display: flex;
    align-items: center;
    gap: 0.6rem;
  }
  .tools input {
    font: inherit;
    color: inherit;
    width: 13.5rem;
    height: 2.1rem;
    padding: 0 0.7rem;
    background: var(--wash);
    border: 1px solid var(--faint);
    border-radius: 4px;
  }
  .tools input::placeholder {
    color: var(--muted);
    opacity: 1;
  }
  .tools kbd {
    color: var(--muted);
    border: 1px solid var(--rule);
    border-radius: 3px;
    padding: 0 0.4rem;
  }
  button {
    font: inherit;
    font-size: 0.85rem;
    color: var(--muted);
    background: none;
    border: 1px solid var(--rule);
    border-radius: 4px;
    height: 2.1rem;
    padding: 0 0.7rem;
    white-space: nowrap;
    cursor: pointer;
  }
  button:hover {
    color: var(--ink);
    border-color: var(--faint);
  }
  .tools kbd:has(+ button:not([hidden])) {
    display: none;
  }
  @media (max-width: 56rem) {
    .contents {
      flex-wrap: wrap;
      height: auto;
      padding: 0.25rem 0 0.5rem;
    }
    .tools {
      flex: 1 1 16rem;
    }
    .tools input {
      flex: 1;
      min-width: 0;
    }
    .tools kbd {
      display: none;
    }
    :root {
      --bar: 5.5rem;
    }
  }
  @media (max-width: 34rem) {
    .contents {
      position: static;
    }
    :root {
      --bar: 0rem;
    }
    .contents ul {
      gap: 1.1rem;
    }
  }
`;
