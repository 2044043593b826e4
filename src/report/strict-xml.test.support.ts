import assert from 'node:assert/strict';

/** Element of a document; its text is joined. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly children: readonly XmlElement[];
  readonly text: string;
}

export const attribute = (element: XmlElement, name: string): string | undefined =>
  element.attributes.find(([known]) => known === name)?.[1];

/** Characters that XML 1.0 forbids, production 2. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

const TOKEN = /<\?xml [^?<>]*\?>|<\/([\w-]+)>|<([\w-]+)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/uy;

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/**
 * Parses the subset of XML that reports use, and fails on everything else: a lenient parser would hide errors
 * that break a CI system. Names are ASCII; no comments, CDATA or document type.
 */
export function readXml(xml: string): XmlElement {
  assert.doesNotMatch(xml, FORBIDDEN);
  const root = open('', '');
  const stack = [root];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < xml.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(xml);
    assert.ok(match, `well-formed at ${at}: ${xml.slice(at, at + 80)}`);
    const [, closing, opening, attributes = '', selfClosing, text] = match;
    const top = stack.at(-1);
    assert.ok(top);
    if (opening !== undefined) {
      const element = open(opening, attributes);
      top.children.push(element);
      if (selfClosing === '') stack.push(element);
    } else if (closing !== undefined) {
      assert.equal(closing, top.name);
      stack.pop();
    } else if (text !== undefined) top.text += decode(text);
  }
  assert.equal(stack.length, 1, 'every element is closed');
  assert.equal(root.children.length, 1, 'there is one root');
  assert.equal(root.text.trim(), '', 'nothing stands outside the root');
  return root.children[0] ?? root;
}

function open(name: string, attributes: string) {
  const pairs = [...attributes.matchAll(/([\w-]+)="([^"]*)"/gu)].map(
    ([, key = '', value = '']) => [key, decode(value)] as const,
  );
  assert.equal(new Set(pairs.map(([key]) => key)).size, pairs.length, 'no attribute stands twice');
  return { name, attributes: pairs, children: [] as XmlElement[], text: '' };
}

function decode(text: string): string {
  assert.doesNotMatch(text, /&(?!(?:lt|gt|amp|quot|apos|#[0-9]+|#x[0-9A-Fa-f]+);)/u);
  assert.ok(!text.includes(']]>'), 'the end of a CDATA section may not stand in text');
  const decoded = text.replace(/&(#x?)?([^;]+);/gu, (_, mark: string | undefined, name: string) =>
    mark === undefined
      ? (ENTITIES[name] ?? '')
      : String.fromCodePoint(parseInt(name, mark === '#x' ? 16 : 10)),
  );
  assert.doesNotMatch(decoded, FORBIDDEN, 'nor may a reference stand for a forbidden character');
  return decoded;
}
