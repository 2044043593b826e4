import { visible } from '../../format/visible.js';

/**
 * Text for an XML document that xmlbuilder2 writes. It escapes markup but takes an ampersand that begins a character
 * reference for one that was meant, and a target may send `&#0;`, so ampersands are escaped here. What XML forbids is
 * hidden by `visible`. Jenkins's attachment plug-in and GitLab fetch the file that `[[ATTACHMENT|path]]` names in an
 * output, so that mark is broken.
 */
export const xmlText = (text: string): string => visible(text).replaceAll('[[', '[ [').replaceAll('&', '&amp;');
