import { oneLine } from './visible.js';

/**
 * Text for Markdown, on one line. Every ASCII punctuation mark becomes a character reference: CommonMark takes those as
 * plain text wherever they stand, so that neither markup, HTML, links nor table cells can come of it.
 */
export const markdownText = (text: string): string =>
  oneLine(text).replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** Text for Markdown in a fixed-width face; an empty one is named, because an empty `code` element shows nothing. */
export const markdownCode = (text: string): string => (text === '' ? '(empty)' : `<code>${markdownText(text)}</code>`);
