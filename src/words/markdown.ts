import { oneLine } from '../format/visible.js';

/**
 * Escapes text for Markdown, on one line. Marks that could begin markup, HTML, a link, a mention, an emoji or a table cell
 * become character references, which CommonMark reads as plain text. Other marks stay, so that the source is readable too.
 */
export const markdownText = (text: string): string =>
  oneLine(text).replace(MARKUP, (match) => match.replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`));

const MARKUP = new RegExp(
  [
    // At the start of a line: a list, a rule, the underline of a heading.
    /^[-+=]+/,
    /^\d+[.)]/,
    // A colon before a space, or within a time, is punctuation; any other may belong to an address or an emoji.
    /:(?! |\d\d(?!\d))/,
    /\bwww\./,
    /[!#$&*<>@[\\\]^_`{|}~]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
);

/** Formats text as Markdown code; an empty text gets a name, because an empty `code` element shows nothing. */
export const markdownCode = (text: string): string => (text === '' ? '(empty)' : `<code>${markdownText(text)}</code>`);
