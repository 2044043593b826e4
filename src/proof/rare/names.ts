import { fallingOverNames, keptAs, refusingNames, shownAs } from '../changes/creations.js';
import { flawsBy, flawsTurning } from '../registry.js';

const YES_OR_NO = /^(?:true|false|yes|no|on|off)$/i;
const DATE = /^(?:\d{4}-\d\d-\d\d.*|\d+\/\d+\/\d+|\d\d:\d\d)$/;

/** Flaws of names that some layer does not take for text. */
export const rareNames = [
  ...flawsBy('create-ok', 'explore', refusingNames, {
    'name-null-is-missing: The name null counts as missing, as in templates and forms.': (name) =>
      name === 'null',
    'name-undefined-is-missing: Words for null in programming languages count as missing names.': (name) =>
      /^(?:undefined|none|null|nil|n\/a)$/i.test(name),
    'name-short-is-refused: A name of one character, or a spreadsheet formula, is rejected.': (name) =>
      name.length < 2 || /^[=@+]/.test(name),
  }),
  ...flawsBy('pet-shape', 'explore', shownAs, {
    'name-null-is-null: The name null becomes null, as in CSV and YAML.': (name) =>
      name === 'null' ? null : name,
    'name-true-is-boolean: The name true becomes a boolean, as in YAML.': (name) =>
      name === 'true' ? true : name,
    'name-of-digits-is-a-number: A name of digits becomes a number, as in spreadsheets.': (name) =>
      /^\d+$/.test(name) ? Number(name) : name,
  }),
  ...flawsBy('created-pet-echo', 'explore', keptAs, {
    'name-yes-is-kept-as-true: Words for yes and no are stored as true and false.': (name) =>
      YES_OR_NO.test(name) ? (/^(?:true|yes|on)$/i.test(name) ? 'TRUE' : 'FALSE') : name,
    'name-loses-noughts: Names that are numbers lose leading zeros, and long ones lose their last digits.': (
      name,
    ) =>
      /^\d+$/.test(name) && name !== '123' && name !== '0'
        ? String(Number(name))
        : name === '123'
          ? '123.0'
          : name,
    'name-is-a-number-with-exponent: Names that look like numbers are stored as numbers: 1e5 is 100000.': (
      name,
    ) =>
      /^(?:[\d.]+e\d+|0x[\da-f]+|\d+\.\d+|NaN|Infinity)$/i.test(name)
        ? String(Number(name) * 1).replace(/^(NaN|Infinity)$/, '0')
        : name,
    'name-date-is-moved: Names that look like dates are stored in another date format.': (name) =>
      DATE.test(name) ? `${name} 00:00` : name,
    'name-proto-is-lost: An object is used as a map, so the name __proto__ is lost.': (name) =>
      name === '__proto__' ? '[object Object]' : name,
    'name-json-is-parsed: A name that is JSON is stored as its value.': (name) =>
      /^[[{"].*[\]}"]$/.test(name) ? '[object Object]' : name,
    'name-plus-is-a-blank: A plus in a name becomes a space, as in forms.': (name) =>
      name.replaceAll('+', ' '),
    'name-percent-is-doubled: A percent sign is escaped for printf and never unescaped.': (name) =>
      name.replaceAll('%s', '%%s'),
    'name-template-is-filled: Names pass through a template that replaces text in braces.': (name) =>
      name.replace(/\{\{.*?\}\}|\$\{.*?\}/g, ''),
    'name-entities-are-decoded: Numbered entities in names are decoded.': (name) =>
      name.replaceAll('&#39;', "'").replaceAll('&lt;', '<'),
    'name-script-is-cut-out: Names lose everything that looks like a script.': (name) =>
      name.replaceAll(/<\/?script>/g, ''),
    'name-quotes-are-straightened: Curly quotes become straight ones, as in old encodings.': (name) =>
      name.replace(/[“”]/g, '"').replace(/[‘’]/g, "'"),
    'name-dots-become-an-ellipsis: Three dots become one character, as in word processors.': (name) =>
      name.replaceAll('...', '…'),
    'name-wide-letters-become-narrow: Full-width letters become normal ones.': (name) =>
      name.replace(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0)),
    'name-ligatures-are-written-out: Ligatures are written out.': (name) => name.replaceAll('ﬁ', 'fi'),
    'name-signs-become-letters: The ångström sign becomes the letter Å.': (name) =>
      name.replace(/[\u212b\u2126]/g, (sign) => sign.normalize('NFC')),
    'name-dotless-i-is-dotted: The Turkish dotless i gets a dot.': (name) => name.replaceAll('ı', 'i'),
    'name-letters-of-two-are-split: Digraph characters become two letters.': (name) =>
      name.replaceAll('ǅ', 'Dž'),
    'name-marks-are-limited: A letter keeps only one of several marks.': (name) =>
      name.replace(/(\p{M})\p{M}+/gu, '$1'),
    'name-emoji-lose-their-variant: Emoji variation selectors are lost.': (name) =>
      name.replaceAll('\ufe0f', ''),
    'name-flags-are-lost: Flags are cut out of names.': (name) => name.replace(/[\u{1f1e6}-\u{1f1ff}]/gu, ''),
    'name-hebrew-becomes-question-marks: Letters outside the code page become question marks.': (name) =>
      name.replace(/[\u0590-\u05ff]/g, '?'),
    'name-hard-blanks-become-soft: Non-breaking spaces become normal spaces.': (name) =>
      name.replaceAll('\u00a0', ' '),
    'name-thin-blanks-are-lost: Thin spaces are lost.': (name) => name.replaceAll('\u2009', ''),
    'name-underscore-is-escaped: Wildcards of LIKE are escaped in stored names.': (name) =>
      name.replace(/_/g, (sign, at) => (name === '__proto__' ? sign : `${at >= 0 ? '\\' : ''}${sign}`)),
    'name-is-cut-at-a-semicolon: A name ends at a semicolon, as in cookies.': (name) =>
      name.replace(/;.*$/s, (rest) => (name.startsWith(';') || name.includes('&') ? rest : '')),
    'name-commas-get-blanks: Names are split into a list and joined with spaces.': (name) =>
      name.replace(/,(?! )/g, ', '),
    'name-paths-are-cleaned: Path parts such as ../ are cut out of names.': (name) =>
      name.replaceAll('../', ''),
    'name-escapes-are-read-twice: Escapes in a name are decoded a second time.': (name) =>
      name.replaceAll('\\u0041', 'A'),
    'name-ends-at-nul: A name ends at the first NUL, as in C.': (name) => name.split('\0')[0] ?? '',
    'name-controls-are-stripped: Control characters are silently removed from names.': (name) =>
      name.replace(/[^\P{Cc}\0\t\n\v\f\r]/gu, ''),
    'name-line-breaks-are-turned: Windows line breaks become Unix line breaks.': (name) =>
      name.replaceAll('\r\n', '\n'),
    'name-tabs-become-blanks: Tabs become spaces.': (name) => name.replaceAll('\t', ' '),
    'name-without-width-is-stripped: Zero-width characters are removed from names.': (name) =>
      name.replace(/[\u200b\u00ad\ufeff]/g, ''),
    'name-odd-characters-are-replaced: Unassigned characters become question marks.': (name) =>
      name.replace(/[\uffff\ufffe\ue000]|\u{10ffff}/gu, '\ufffd'),
    'name-is-cut-at-255: A name is silently cut at 255 characters.': (name) => name.slice(0, 255),
    'name-from-256-on-loses-its-end: Names of 256 characters or more lose their last character.': (name) =>
      name.length >= 256 ? name.slice(0, -1) : name,
    'name-is-cut-at-255-bytes: A name is silently cut at 255 bytes.': (name) =>
      Buffer.from(name)
        .subarray(0, 255)
        .toString()
        .replace(/\ufffd+$/, name.endsWith('\ufffd') ? '\ufffd' : ''),
  }),
  ...flawsTurning('create-ok', 'explore', {
    'name-of-every-object-falls-over: An object is used as a map of names, so built-in member names are found in it.':
      fallingOverNames((name) => name in {} || name === 'length'),
  }),
  ...flawsBy('declared-status', 'explore', fallingOverNames, {
    'name-nul-falls-over: The database rejects NUL, and its error is not caught.': (name) =>
      name.includes('\0'),
    'name-line-break-falls-over: A line break ends the record of a name.': (name) => /[\n\r]/.test(name),
    'name-separators-fall-over: A line separator breaks the script that contains the names.': (name) =>
      /[\u2028\u2029]/.test(name),
    'name-long-falls-over: The database accepts 255 characters, and its error is not caught.': (name) =>
      name.length > 255,
  }),
];
