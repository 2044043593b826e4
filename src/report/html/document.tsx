import { createHash } from 'node:crypto';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { GlyphSheet } from './parts/glyph.js';
import { visible } from '../wording/visible.js';
import { SCRIPT } from './script.js';
import { STYLE } from './style/style.js';

interface DocumentInput {
  readonly title: string;
  readonly description: string;
  readonly body: ComponentChildren;
}

const sha256 = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * The page may run one script and use one style sheet, both named by hash; everything else, any address of the
 * network included, is forbidden to it, whatever a target's text may contain.
 */
const CONTENT_SECURITY_POLICY = [
  `default-src 'none'`,
  `script-src ${sha256(SCRIPT)}`,
  `style-src ${sha256(STYLE)}`,
  `base-uri 'none'`,
  `form-action 'none'`,
].join('; ');

/** A whole HTML file with the product's looks: style and script inline, nothing loaded from anywhere. */
export function renderDocument(input: DocumentInput): string {
  return `<!doctype html>\n${renderToString(<Document {...input} />)}\n`;
}

function Document({ title, description, body }: DocumentInput): VNode {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={CONTENT_SECURITY_POLICY} />
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
        <script dangerouslySetInnerHTML={{ __html: SCRIPT }} />
      </body>
    </html>
  );
}
