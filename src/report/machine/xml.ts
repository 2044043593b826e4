export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly content: readonly XmlElement[] | string;
}

export const element = (
  name: string,
  attributes: XmlElement['attributes'],
  content: XmlElement['content'] = [],
): XmlElement => ({ name, attributes, content });

/** Characters that mean markup in a text, or that a reader would change (XML 1.0, 2.4 and 2.11). */
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

const escaped = (text: string, characters: RegExp): string =>
  text.replace(characters, (sign) => ESCAPES[sign] ?? sign);

/** Writes a document in UTF-8, each element on its own line. Texts may only have characters that XML allows. */
export const xmlDocument = (root: XmlElement): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${written(root, '')}`;

function written({ name, attributes, content }: XmlElement, indent: string): string {
  const start = [
    `${indent}<${name}`,
    ...Object.entries(attributes).map(
      ([key, value]) => `${key}="${escaped(String(value), /[&<>"\t\n\r]/g)}"`,
    ),
  ].join(' ');
  if (content.length === 0) return `${start}/>`;
  if (typeof content === 'string') return `${start}>${escaped(content, /[&<>\r]/g)}</${name}>`;
  const inner = content.map((child) => written(child, `${indent}  `));
  return [`${start}>`, ...inner, `${indent}</${name}>`].join('\n');
}
