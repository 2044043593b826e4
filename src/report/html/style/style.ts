import { BAR } from './bar.js';
import { CAPACITY } from './capacity.js';
import { CARDS } from './cards.js';
import { CHARTS } from './charts.js';
import { FRONT } from './front.js';
import { MAP } from './map.js';
import { PRINT } from './print.js';
import { TABLES } from './tables.js';
import { TOKENS } from './tokens.js';

/** The page's one style sheet. */
export const STYLE = [TOKENS, FRONT, BAR, MAP, TABLES, CHARTS, CAPACITY, CARDS, PRINT]
  .join('\n')
  .replaceAll(/\n\s*/g, '\n');
