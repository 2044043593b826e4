/** Returns the source of a pattern that matches exactly a text. (`RegExp.escape` needs Node 24.) */
export const literal = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
