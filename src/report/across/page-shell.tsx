import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';

/**
 * A whole page as text: one file, no script, no request, light and dark, fit to print. What it is given is escaped by
 * the renderer, and the policy keeps a browser from running or fetching anything should that ever fail.
 */
export const renderPage = (title: string, children: ComponentChildren): string =>
  `<!doctype html>\n${renderToString(<Page title={title}>{children}</Page>)}\n`;

function Page({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <main>{children}</main>
      </body>
    </html>
  );
}

/** Colour stands for outcomes only; the hues are told apart by colour-blind readers, and every one has a glyph or a height beside it. */
const STYLE = `
:root { color-scheme: light dark; --ink: #1b1b1a; --quiet: #5d5c58; --line: #e3e1db; --paper: #fcfcfa;
  --failed: #b3261e; --warned: #835400; --inconclusive: #4a4caa; --passed: #0a6a52; --observed: #5d5c58; --none: #c9c7c1; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e7e3; --quiet: #a8a59f; --line: #2d2f32; --paper: #141517;
  --failed: #ff9183; --warned: #ebb752; --inconclusive: #b0b3ff; --passed: #5ccbab; --observed: #a8a59f; --none: #4a4d50; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'Helvetica Neue', 'Liberation Sans', Arial, system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; font-weight: 600; margin: 0 0 .5rem; max-width: 48rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; font-weight: 600; margin: 2.5rem 0 .5rem; overflow-wrap: anywhere; }
h3 { font-size: 1rem; font-weight: 600; margin: 1.5rem 0 .25rem; }
p, ul { max-width: 48rem; margin: .5rem 0; }
a { color: inherit; }
.quiet, caption, figcaption { color: var(--quiet); font-size: .875rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding-bottom: .25rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 500; }
thead th { color: var(--quiet); font-size: .875rem; }
td.value { font-family: ui-monospace, monospace; font-size: .875rem; overflow-wrap: anywhere; white-space: pre-wrap; }
td.number, th.number { text-align: right; white-space: nowrap; }
th a { white-space: nowrap; }
table.matrix, table.changes { table-layout: fixed; min-width: 38rem; }
table.matrix th:first-child, table.changes th:first-child { width: 15rem; overflow-wrap: anywhere; }
table.matrix th:nth-child(3) { width: 15rem; } table.matrix th:nth-child(4) { width: 7rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 0 2rem; }
figure { margin: 1rem 0; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--quiet); font-size: 11px; }
svg.cells { height: 1.25rem; }
.grid { stroke: var(--line); }
.trend { fill: none; stroke: var(--ink); stroke-width: 1.5; }
.dot { fill: var(--ink); }
.failed { color: var(--failed); fill: var(--failed); } .error { color: var(--failed); fill: var(--failed); }
.warned { color: var(--warned); fill: var(--warned); } .inconclusive { color: var(--inconclusive); fill: var(--inconclusive); }
.passed { color: var(--passed); fill: var(--passed); } .observed { color: var(--observed); fill: var(--observed); }
.not-applicable { color: var(--quiet); fill: var(--none); }
summary { cursor: pointer; margin: .75rem 0; }
@media (max-width: 40rem) { h1 { font-size: 1.25rem; } table.matrix { min-width: 30rem; } table.changes { min-width: 0; }
  table.matrix th:first-child { width: 9rem; } table.changes th:first-child { width: 30%; } table.matrix th:nth-child(3) { width: 9rem; } }
@media print { body { font-size: 11px; } main { max-width: none; padding: 0; } tr { break-inside: avoid; } }
`;
