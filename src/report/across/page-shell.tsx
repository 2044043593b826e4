import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { GlyphSheet } from '../html/parts/glyph.js';
import { CARDS } from '../html/style/cards.js';
import { FRONT } from '../html/style/front.js';
import { TABLES } from '../html/style/tables.js';
import { TOKENS } from '../html/style/tokens.js';
import { Text } from '../html/parts/text.js';
import { visible } from '../wording/visible.js';
import { ACROSS } from './style.js';

/** What a page about several runs is made of. */
interface ShellInput {
  readonly title: string;
  readonly description: string;
  readonly body: ComponentChildren;
}

/**
 * A whole page as text, with the looks of a run's page: one file, no script, no request, light and dark, fit to print.
 * What it is given is escaped by the renderer, and the policy keeps a browser from running or fetching anything should
 * that ever fail.
 */
export const renderPage = (input: ShellInput): string => `<!doctype html>\n${renderToString(<Page {...input} />)}\n`;

function Page({ title, description, body }: ShellInput) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
        />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <meta name="description" content={visible(description)} />
        <title>{visible(title)}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <GlyphSheet />
        {body}
      </body>
    </html>
  );
}

/** Days are not to be broken at their hyphens. */
export const Headline = ({ text }: { readonly text: string }) => (
  <>
    {text
      .split(/(\d{4}-\d{2}-\d{2})/)
      .map((piece, at) => (at % 2 === 1 ? <span class="day">{piece}</span> : <Text longest={600}>{piece}</Text>))}
  </>
);

const STYLE = [TOKENS, FRONT, TABLES, CARDS, ACROSS].join('\n').replaceAll(/\n\s*/g, '\n');
