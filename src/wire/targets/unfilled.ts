/** A text that something should have filled in or unwrapped: what it looks like, and how to write it. */
interface Unfilled {
  /** Worded to follow “has” or “contains”. */
  readonly what: string;
  readonly hint: string;
}

interface Sign extends Unfilled {
  /** Matches a whole key. */
  readonly key: RegExp;
  /** Matches inside an address; absent if an address cannot have it. */
  readonly address?: RegExp;
}

const FROM_ENVIRONMENT =
  "Write ${NAME} in a target file, or --key free='${NAME}': the kit reads the variable itself.";

const SIGNS: readonly Sign[] = [
  {
    key: /^(["'`]).*\1$/,
    address: /^["'`]|["'`]$/,
    what: 'quotation marks',
    hint: 'Remove the quotation marks. docker --env-file and cmd.exe keep them as a part of the value.',
  },
  {
    key: /^(?:authorization:\s*)?(?:bearer|basic|token)(?:\s|%20|:)/i,
    what: 'the scheme of a header, such as “Bearer”',
    hint: 'Give only the key that follows it. The kit adds the scheme.',
  },
  {
    key: /^\$\(.*\)$/,
    address: /\$\(/,
    what: 'a command in $(…) that no shell has run',
    hint: `Run the command in a shell, and put its output into a variable. ${FROM_ENVIRONMENT}`,
  },
  {
    key: /^\$(?:env:)?[A-Za-z_]\w*$|^env:[A-Z_][A-Z0-9_]*$|^\$\{.*\}$/,
    address: /\/\/[^/]*\$(?:env:)?[A-Za-z_{]|\$\{/,
    what: 'a variable like $NAME that nothing has filled in',
    hint: FROM_ENVIRONMENT,
  },
  {
    key: /^%[A-Za-z_]\w*%$/,
    // Percent-encoded text is none: there two hexadecimal digits follow each sign, as in %C3%A9.
    address: /%[A-Za-z_]\w*%(?![0-9A-Fa-f]{2})/,
    what: 'a variable like %NAME% that nothing has filled in',
    hint: `Only cmd.exe fills in %NAME%. ${FROM_ENVIRONMENT}`,
  },
  {
    key: /^\{\{.*\}\}$/s,
    address: /\{\{|\}\}/,
    what: 'a placeholder like {{NAME}} that nothing has filled in',
    hint: 'Let the template’s own program fill it in first, or use the environment variable that it stands for.',
  },
  {
    key: /^<[^<>]*>$/,
    address: /<[^<>]*>/,
    what: 'a placeholder like <name> from an example',
    hint: 'Replace it, with its angle brackets, by the real value.',
  },
];

/** Finds the sign that a text cannot be a key; null for one that may be. Such a text need not be sent to know. */
export const unfilledKey = (key: string): Unfilled | null => SIGNS.find((sign) => sign.key.test(key)) ?? null;

export const unfilledAddress = (address: string): Unfilled | null =>
  SIGNS.find((sign) => sign.address?.test(address) ?? false) ?? null;
