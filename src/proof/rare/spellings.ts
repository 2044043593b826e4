import { setting } from '../changes/answers.js';
import { misreading, refusingBodies } from '../changes/creations.js';
import { readJson, type Json } from '../../reference/json.js';
import { flawsBy, flawsTurning } from '../registry.js';

const losingStatus = (spelling: RegExp) =>
  misreading((body, text) => (spelling.test(text) ? setting('status', undefined)(body) : body));

const readingNames = (alter: (written: string) => string) =>
  misreading((body, text) => {
    const written = /"name":"((?:[^"\\]|\\.)*)"/s.exec(text)?.[1];
    if (written === undefined || !Object.hasOwn(body, 'name')) return body;
    const name = readJson(`"${alter(written)}"`);
    return name === undefined ? body : { ...body, name };
  });

const readingCategories = (alter: (written: string) => string) =>
  misreading((body, text) => {
    const written = /"categoryId":([-+.\deE]+)/.exec(text)?.[1];
    const category: Json | undefined = written === undefined ? undefined : readJson(alter(written));
    return category === undefined || !Object.hasOwn(body, 'categoryId')
      ? body
      : { ...body, categoryId: category };
  });

/** Flaws of creations that show only when a usual value is written in another of JSON's spellings (RFC 8259). */
export const rareSpellings = [
  ...flawsBy('created-pet-echo', 'explore', losingStatus, {
    'category-first-loses-status: Members are read by position when the category comes first, so the status is lost.':
      /^\{"categoryId":[^,]*,"name"/,
    'status-between-is-lost: A status between the other two members is overwritten.':
      /"name":"[^"]*","status"/,
    'status-second-loses-itself: A status after the category and before the name is lost.':
      /^\{"categoryId":[^,]*,"status"/,
    'status-and-name-before-category-lost: A status at the start is lost if the name comes next.':
      /^\{"status":"[a-z]*","name"/,
    'indented-body-loses-its-last-line: The last line of an indented body is not read.': /^\{\n {2}"[^\n]*\n/,
  }),
  ...flawsBy('created-pet-echo', 'explore', readingNames, {
    'escaped-emoji-are-spoiled: An escaped surrogate pair is decoded as two characters, each replaced.': (
      written,
    ) => written.replace(/\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}/g, '\ufffd\ufffd'),
    'escaped-accents-are-cut: Only the low seven bits of an escaped letter are kept.': (written) =>
      written.replace(/\\u00([89a-f])([\da-f])/g, (_all, high: string, low: string) =>
        String.fromCharCode(Number.parseInt(high + low, 16) & 0x7f).replace(/[^ -~]/, '?'),
      ),
    'escaped-quotes-end-the-name: A quote written as a number ends the name.': (written) =>
      written.replace(/(.)\\u0022.*$/s, '$1'),
    'escaped-line-breaks-are-lost: A line break written as a number is dropped.': (written) =>
      written.replace(/\\u000a/gi, ''),
    'escaped-slashes-keep-their-escape: The escape before a slash is stored with it.': (written) =>
      written.replaceAll('\\/', '\\\\/'),
  }),
  ...flawsTurning('created-pet-echo', 'explore', {
    'blank-after-colon-is-kept: The space after a colon becomes a part of the name.': misreading(
      (body, text) => {
        const name = /"name": "([^"\\]*)", "/.exec(text)?.[1];
        return name === undefined ? body : { ...body, name: ` ${name}` };
      },
    ),
  }),
  ...flawsBy('created-pet-echo', 'explore', readingCategories, {
    'category-loses-its-point: The decimal point of a category is skipped, so 1.0 is 10.': (written) =>
      /^\d+\.0$/.test(written) ? written.replace('.', '') : written,
    'category-loses-its-exponent: The exponent of a category is skipped, so 10e-1 is 10.': (written) =>
      /e-/i.test(written) ? written.replace(/e.*/i, '') : written,
    'category-with-exponent-runs-on: The digits of an exponent are appended, so 1e0 is 10.': (written) =>
      /^\d+e\d$/.test(written) ? written.replace('e', '') : written,
  }),
  ...flawsTurning('create-ok', 'explore', {
    'capital-escapes-refused: Escapes with capital letters are refused.': [
      refusingBodies((text) => /\\u[\dA-F]{0,3}[A-F]/.test(text), 'the request body is not JSON'),
      ['declared-status', 'create-each-status', 'create-status-optional'],
    ],
    'escaped-status-refused: A status written with escapes is compared before it is decoded.': [
      refusingBodies((text) => /"status":"\\u/.test(text), 'status is not one of available, pending, sold'),
      ['declared-status', 'create-each-status'],
    ],
  }),
];
