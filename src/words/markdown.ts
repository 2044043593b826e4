import { oneLine } from '../format/visible.js';

/**
 * Text for Markdown, on one line. Every mark that could begin markup, HTML, a link, a mention, an emoji or a table's
 * cell becomes a character reference, which CommonMark takes as plain text wherever it stands. Marks that can do none of
 * that stay, so that the file is read without a renderer as well.
 */
export const markdownText = (text: string): string =>
  oneLine(text).replace(MARKUP, (match) => match.replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`));

const MARKUP = new RegExp(
  [
    // At the beginning of a line: a list, a rule, the underline of a heading.
    /^[-+=]+/,
    /^\d+[.)]/,
    // A colon before a blank, or within a time, is punctuation; any other may be an address's or an emoji's.
    /:(?! |\d\d(?!\d))/,
    /\bwww\./,
    /[!#$&*<>@[\\\]^_`{|}~]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
);

/** Text for Markdown in a fixed-width face; an empty one is named, because an empty `code` element shows nothing. */
export const markdownCode = (text: string): string => (text === '' ? '(empty)' : `<code>${markdownText(text)}</code>`);
