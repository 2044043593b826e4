import { fallingOverNames, keptAs, refusingNames, shownAs } from '../changes.js';
import { flawsBy, flawsTurning } from '../registry.js';

const YES_OR_NO = /^(?:true|false|yes|no|on|off)$/i;
const DATE = /^(?:\d{4}-\d\d-\d\d.*|\d+\/\d+\/\d+|\d\d:\d\d)$/;

/** Flaws of names that some layer does not take for text. */
export const rareNames = [
  ...flawsBy('create-ok', 'explore', refusingNames, {
    'name-null-is-missing': ['The name null counts as none, as in templates and forms.', (name) => name === 'null'],
    'name-undefined-is-missing': [
      'Words that languages have for nothing count as none.',
      (name) => /^(?:undefined|none|null|nil|n\/a)$/i.test(name),
    ],
    'name-short-is-refused': [
      'A name of one character, or one that a spreadsheet calculates, is refused.',
      (name) => name.length < 2 || /^[=@+]/.test(name),
    ],
  }),
  ...flawsBy('pet-shape', 'explore', shownAs, {
    'name-null-is-null': [
      'The name null is written as null, as by CSV and YAML.',
      (name) => (name === 'null' ? null : name),
    ],
    'name-true-is-boolean': [
      'The name true is written as a boolean, as by YAML.',
      (name) => (name === 'true' ? true : name),
    ],
    'name-of-digits-is-a-number': [
      'A name of digits is written as a number, as by spreadsheets.',
      (name) => (/^\d+$/.test(name) ? Number(name) : name),
    ],
  }),
  ...flawsBy('created-pet-echo', 'explore', keptAs, {
    'name-yes-is-kept-as-true': [
      'Words for yes and no are kept as true and false.',
      (name) => (YES_OR_NO.test(name) ? (/^(?:true|yes|on)$/i.test(name) ? 'TRUE' : 'FALSE') : name),
    ],
    'name-loses-noughts': [
      'Noughts before a number are lost, and the last digits of a long one.',
      (name) =>
        /^\d+$/.test(name) && name !== '123' && name !== '0' ? String(Number(name)) : name === '123' ? '123.0' : name,
    ],
    'name-is-a-number-with-exponent': [
      'Whatever reads as a number is kept as one: 1e5 is 100000.',
      (name) =>
        /^(?:[\d.]+e\d+|0x[\da-f]+|\d+\.\d+|NaN|Infinity)$/i.test(name)
          ? String(Number(name) * 1).replace(/^(NaN|Infinity)$/, '0')
          : name,
    ],
    'name-date-is-moved': [
      'Names that read as dates are kept as a calendar writes them.',
      (name) => (DATE.test(name) ? `${name} 00:00` : name),
    ],
    'name-proto-is-lost': [
      'An object stands for a map, so that the name __proto__ is lost.',
      (name) => (name === '__proto__' ? '[object Object]' : name),
    ],
    'name-json-is-parsed': [
      'A name that reads as JSON is kept as what that says.',
      (name) => (/^[[{"].*[\]}"]$/.test(name) ? '[object Object]' : name),
    ],
    'name-plus-is-a-blank': ['A plus in a name becomes a blank, as in forms.', (name) => name.replaceAll('+', ' ')],
    'name-percent-is-doubled': [
      'A percent sign is escaped for printf and never undone.',
      (name) => name.replaceAll('%s', '%%s'),
    ],
    'name-template-is-filled': [
      'Names go through a template that fills in what stands in braces.',
      (name) => name.replace(/\{\{.*?\}\}|\$\{.*?\}/g, ''),
    ],
    'name-entities-are-decoded': [
      'Numbered entities in names are decoded.',
      (name) => name.replaceAll('&#39;', "'").replaceAll('&lt;', '<'),
    ],
    'name-script-is-cut-out': [
      'What looks like a script is cut out of names.',
      (name) => name.replaceAll(/<\/?script>/g, ''),
    ],
    'name-quotes-are-straightened': [
      'Curly quotes become straight ones, as in old encodings.',
      (name) => name.replace(/[“”]/g, '"').replace(/[‘’]/g, "'"),
    ],
    'name-dots-become-an-ellipsis': [
      'Three dots become one sign, as in word processors.',
      (name) => name.replaceAll('...', '…'),
    ],
    'name-wide-letters-become-narrow': [
      'Letters of full width become narrow ones.',
      (name) => name.replace(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0)),
    ],
    'name-ligatures-are-written-out': ['Ligatures are written out.', (name) => name.replaceAll('ﬁ', 'fi')],
    'name-signs-become-letters': [
      'The sign of the ångström becomes the letter.',
      (name) => name.replace(/[\u212b\u2126]/g, (sign) => sign.normalize('NFC')),
    ],
    'name-dotless-i-is-dotted': ['The Turkish i without a dot gets one.', (name) => name.replaceAll('ı', 'i')],
    'name-letters-of-two-are-split': ['Letters of two letters are split.', (name) => name.replaceAll('ǅ', 'Dž')],
    'name-marks-are-limited': [
      'Of several marks upon a letter one is kept.',
      (name) => name.replace(/(\p{M})\p{M}+/gu, '$1'),
    ],
    'name-emoji-lose-their-variant': [
      'Signs that choose how an emoji looks are lost.',
      (name) => name.replaceAll('\ufe0f', ''),
    ],
    'name-flags-are-lost': ['Flags are cut out of names.', (name) => name.replace(/[\u{1f1e6}-\u{1f1ff}]/gu, '')],
    'name-hebrew-becomes-question-marks': [
      'Letters outside the code page become question marks.',
      (name) => name.replace(/[\u0590-\u05ff]/g, '?'),
    ],
    'name-hard-blanks-become-soft': [
      'Blanks that do not break become such as do.',
      (name) => name.replaceAll('\u00a0', ' '),
    ],
    'name-thin-blanks-are-lost': ['Thin blanks are lost.', (name) => name.replaceAll('\u2009', '')],
    'name-underscore-is-escaped': [
      'The signs of LIKE are escaped when a name is kept.',
      (name) => name.replace(/_/g, (sign, at) => (name === '__proto__' ? sign : `${at >= 0 ? '\\' : ''}${sign}`)),
    ],
    'name-is-cut-at-a-semicolon': [
      'A name ends at a semicolon, as in cookies.',
      (name) => name.replace(/;.*$/s, (rest) => (name.startsWith(';') || name.includes('&') ? rest : '')),
    ],
    'name-commas-get-blanks': [
      'Names go through a list that is joined again with blanks.',
      (name) => name.replace(/,(?! )/g, ', '),
    ],
    'name-paths-are-cleaned': ['What leads upwards in paths is cut out.', (name) => name.replaceAll('../', '')],
    'name-escapes-are-read-twice': [
      'Escapes that stand in a name are read a second time.',
      (name) => name.replaceAll('\\u0041', 'A'),
    ],
    'name-ends-at-nul': ['A name ends at the first NUL, as in C.', (name) => name.split('\0')[0] ?? ''],
    'name-controls-are-stripped': [
      'Control characters are stripped from names without a word.',
      (name) => name.replace(/[^\P{Cc}\0\t\n\v\f\r]/gu, ''),
    ],
    'name-line-breaks-are-turned': [
      'Line breaks of Windows become those of Unix.',
      (name) => name.replaceAll('\r\n', '\n'),
    ],
    'name-tabs-become-blanks': ['Tabs become blanks.', (name) => name.replaceAll('\t', ' ')],
    'name-without-width-is-stripped': [
      'Characters without width are stripped.',
      (name) => name.replace(/[\u200b\u00ad\ufeff]/g, ''),
    ],
    'name-odd-characters-are-replaced': [
      'Characters that are none become question marks.',
      (name) => name.replace(/[\uffff\ufffe\ue000]|\u{10ffff}/gu, '\ufffd'),
    ],
    'name-is-cut-at-255': ['A name is cut at 255 characters without a word.', (name) => name.slice(0, 255)],
    'name-from-256-on-loses-its-end': [
      'Names of exactly 256 characters and more are cut to one less than they have.',
      (name) => (name.length >= 256 ? name.slice(0, -1) : name),
    ],
    'name-is-cut-at-255-bytes': [
      'A name is cut at 255 bytes without a word.',
      (name) =>
        Buffer.from(name)
          .subarray(0, 255)
          .toString()
          .replace(/\ufffd+$/, name.endsWith('\ufffd') ? '\ufffd' : ''),
    ],
  }),
  ...flawsTurning('create-ok', 'explore', {
    'name-of-every-object-falls-over': [
      'A map of names that is an object finds members that every object has.',
      fallingOverNames((name) => name in {} || name === 'length'),
    ],
  }),
  ...flawsBy('declared-status', 'explore', fallingOverNames, {
    'name-nul-falls-over': ['The database takes no NUL, and nobody catches its error.', (name) => name.includes('\0')],
    'name-line-break-falls-over': [
      'A line break ends the record that a name is written to.',
      (name) => /[\n\r]/.test(name),
    ],
    'name-separators-fall-over': [
      'A separator of lines ends the script that names are put into.',
      (name) => /[\u2028\u2029]/.test(name),
    ],
    'name-long-falls-over': [
      'The database takes 255 characters, and nobody catches its error.',
      (name) => name.length > 255,
    ],
  }),
];
