import { BASE, entryOf, pairs } from './har.test.support.js';

export const POST = { method: 'POST', url: `${BASE}/pets` };

export const response = (content: object | undefined, headers: Readonly<Record<string, string>> = {}) =>
  entryOf({ response: { content, headers: pairs(headers) } });
