/** How a creation is written down. All but the last mean the same to any reader of JSON (RFC 8259). */
export const SPELLINGS = [
  'plain',
  'blanks between',
  'members turned round',
  'the name escaped',
  'the members escaped',
  'slashes escaped',
] as const;

/** A way to write the same. */
export type Spelling = (typeof SPELLINGS)[number];

/** What is written, each member's value as JSON already. */
export type Members = readonly (readonly [name: string, json: string])[];

const escaped = (text: string): string =>
  text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A text as JSON that any reader takes for the text; half surrogates as escapes, which alone can say them. */
export const jsonText = (text: string): string => JSON.stringify(text);

/** A JSON object in a spelling. */
export function spelled(members: Members, spelling: Spelling): string {
  switch (spelling) {
    case 'plain':
      return object(members);
    case 'blanks between':
      return ` {\r\n\t${members.map(([name, json]) => `"${name}" : ${json}`).join(' ,\n ')}\n} \n`;
    case 'members turned round':
      return object(members.toReversed());
    case 'the name escaped':
      return object(
        members.map(([name, json]) => [name, name === 'name' ? `"${escaped(String(JSON.parse(json)))}"` : json]),
      );
    case 'the members escaped':
      return `{${members.map(([name, json]) => `"${escaped(name)}":${json}`).join(',')}}`;
    case 'slashes escaped':
      return object(members.map(([name, json]) => [name, json.replaceAll('/', '\\/')]));
  }
}

const object = (members: Members): string => `{${members.map(([name, json]) => `"${name}":${json}`).join(',')}}`;
