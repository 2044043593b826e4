/** What becomes of the parts of a JSON text. */
interface Hiding {
  readonly isSecret: (name: string) => boolean;
  /** Returns what stands for a secret's value. */
  readonly value: (name: string) => string;
  /** Returns any other string with its secrets hidden. */
  readonly text: (inner: string) => string;
}

/** Strings, also one that a cut left open, punctuation, and all other values. */
const TOKENS = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}[\]:,]|[^\s"{}[\]:,]+/gs;

/** An object or a list that is open. */
interface Level {
  /** Name of the secret that it belongs to; null for none. */
  readonly secret: string | null;
  readonly isObject: boolean;
}

/**
 * Hides the values of secret members in a text of JSON, at any depth, and all values within an object or list
 * of such a name. The rest of the text stays as it is, also where it is cut or no JSON: repeated members and
 * digits are judged later.
 */
export function hiddenMembers(text: string, hiding: Hiding): string {
  const { isSecret, value } = hiding;
  const levels: Level[] = [];
  let name: string | null = null;
  let isValue = false;
  return text.replaceAll(TOKENS, (token) => {
    const level = levels.at(-1);
    const secret = level?.secret ?? (isValue && name !== null && isSecret(name) ? name : null);
    switch (token) {
      case '{':
      case '[':
        levels.push({ secret, isObject: token === '{' });
        isValue = token === '[';
        name = null;
        return token;
      case '}':
      case ']':
        levels.pop();
        isValue = false;
        return token;
      case ':':
        isValue = true;
        return token;
      case ',':
        isValue = level?.isObject === false;
        if (!isValue) name = null;
        return token;
    }
    if (level?.isObject === true && !isValue) {
      name = unescaped(token);
      return token;
    }
    if (secret !== null) return token === 'null' || token === '""' ? token : `"${value(secret)}"`;
    return token.startsWith('"') ? hiddenText(token, hiding) : token;
  });
}

/** Hides what a string holds: JSON in it, or an address. */
function hiddenText(token: string, hiding: Hiding): string {
  if (!/[=@]|\\"/.test(token)) return token;
  const inner = unescaped(token);
  if (!/^\s*[{[]/.test(inner)) return hiding.text(token);
  const hidden = hiddenMembers(inner, hiding);
  return hidden === inner ? token : JSON.stringify(hidden);
}

/** Returns the text of a string; what is no JSON stays as it is. */
function unescaped(token: string): string {
  if (!token.startsWith('"')) return token;
  try {
    return token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
  } catch {
    return token;
  }
}
