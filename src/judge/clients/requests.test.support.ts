import type { Given } from './traffic.test.support.js';

export const creation = (body: string, given: Given = {}): Given => ({ method: 'POST', body, ...given });

export const BIG = '9007199254740993';

export const ROUNDED = '9007199254740992';

export const pet = (id: string, categoryId = '1'): string =>
  `{"id":${id},"name":"Rex","categoryId":${categoryId}}`;
