import { createHash } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { GlyphSheet } from './parts/glyph.js';
import { visible } from '../../base/kernel/visible.js';
import { looksOf } from './looks/looks.js';

interface DocumentInput {
  readonly title: string;
  readonly description: string;
  readonly body: ComponentChildren;
  readonly looks: Parameters<typeof looksOf>[0];
}

type Looks = ReturnType<typeof looksOf>;

const sha256 = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Content security policy: at most one script and one style sheet, both by hash. Everything else is
 * forbidden, including the network, whatever a target's text contains.
 */
const securityPolicy = ({ script, style }: Looks): string =>
  [
    `default-src 'none'`,
    ...(script === '' ? [] : [`script-src ${sha256(script)}`]),
    `style-src ${sha256(style)}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');

/** A complete HTML file, which loads nothing. */
export function renderDocument(input: DocumentInput): string {
  // Styles and script are the kit's own; the rest keeps no control characters.
  const html = renderToString(<Document {...input} looks={looksOf(input.looks)} />);
  return `<!doctype html>\n${visible(keptTogether(html))}\n`;
}

/** An element that holds no prose, or a text with the tag before it. */
const TEXT = /<(script|style|pre|code|svg|title)\b.*?<\/\1>|(<[^<>]*>)([^<]+)/gs;
/** The blank in a figure with its unit. */
const BLANK = /(?<=\d) (?=(?:%|ms|s|min|h|KiB|MiB)(?!\w))/g;
const TIME = /(?<!\d)\d{4}-\d\d-\d\d(?: \d\d:\d\d(?::\d\d)?(?: UTC)?)?(?!\d)/g;

/**
 * Keeps figures with their units, and times, on one line: a browser breaks dates at their hyphens. A text
 * from a target, which has its own element, gets no other.
 */
export const keptTogether = (html: string): string =>
  html.replaceAll(TEXT, (piece: string, element?: string, tag = '', text = '') => {
    if (element !== undefined) return piece;
    const kept = text.replaceAll(BLANK, '\u{a0}');
    const isOnlyTime = kept.replace(TIME, '') === '';
    return (
      tag + (tag === '<bdi>' && !isOnlyTime ? kept : kept.replaceAll(TIME, '<span class="day">$&</span>'))
    );
  });

/**
 * Returns a function that decides whether a text is such a file with this beginning of its title, by this or
 * an older kit.
 */
export const isPageTitled =
  (title: string) =>
  (text: string): boolean =>
    text.startsWith('<!doctype html>') && text.includes(`<title>${title}`);

const Document = ({
  title,
  description,
  body,
  looks,
}: Omit<DocumentInput, 'looks'> & { readonly looks: Looks }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content={securityPolicy(looks)} />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="referrer" content="no-referrer" />
      <meta name="description" content={visible(description)} />
      <title>{visible(title)}</title>
      <style dangerouslySetInnerHTML={{ __html: looks.style }} />
    </head>
    <body>
      <GlyphSheet />
      {body}
      {looks.script !== '' && <script dangerouslySetInnerHTML={{ __html: looks.script }} />}
    </body>
  </html>
);
