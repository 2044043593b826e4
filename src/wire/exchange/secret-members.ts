interface Hiding {
  readonly isSecret: (name: string) => boolean;
  /** Returns what stands for a secret's value. */
  readonly value: (name: string, given: string) => string;
  /** Returns any other string with its secrets hidden. */
  readonly text: (inner: string) => string;
}

/** Strings, also one that a cut left open, punctuation, and all other values. */
const TOKENS = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}[\]:,]|[^\s"{}[\]:,]+/gs;

interface Level {
  /** Name of the secret that it belongs to; null for none. */
  readonly secret: string | null;
  readonly isObject: boolean;
  /** Name of a secret that its `value` holds, in an object of a name and a value; null for none. */
  named: string | null;
}

/** Members that hold the name, and the value, of something else: `{ "name": "sid", "value": "…" }`. */
const NAMES = /^(?:name|key|header|field|param|parameter|variable|id)$/i;
const VALUES = /^(?:values?|val|content)$/i;

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
    const own = isValue && name !== null && isSecret(name) ? name : null;
    const named = isValue && name !== null && VALUES.test(name) ? (level?.named ?? null) : null;
    const secret = level?.secret ?? named ?? own;
    switch (token) {
      case '{':
      case '[':
        levels.push({ secret, isObject: token === '{', named: null });
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
    if (level?.isObject === true && name !== null && NAMES.test(name)) {
      const text = unescaped(token);
      if (isSecret(text)) level.named = text;
    }
    if (secret !== null)
      return token === 'null' || token === '""' ? token : `"${value(secret, unescaped(token))}"`;
    return token.startsWith('"') ? hiddenText(token, hiding) : token;
  });
}

/** Hides what a string holds: JSON, an address, or any other text. A cut may have left it open. */
function hiddenText(token: string, { text }: Hiding): string {
  if (!/[=@:<]/.test(token)) return token;
  const isWhole = token.length > 1 && token.endsWith('"');
  if (!isWhole) return text(token);
  const inner = unescaped(token);
  const hidden = text(inner);
  return hidden === inner ? token : JSON.stringify(hidden);
}

/** What is no JSON stays as it is. */
function unescaped(token: string): string {
  if (!token.startsWith('"')) return token;
  try {
    return token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
  } catch {
    return token;
  }
}
