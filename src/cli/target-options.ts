import { text, texts } from './option-kinds.js';

/** The options that name a target, of `run` as of `load`. */
export const targetOptions = {
  target: text('A target file, or one of embedded, staging, production'),
  'base-url': text('The address of a server, up to and with /v1'),
  key: texts("PLAN='${NAME}' for a variable of the environment, PLAN=file:PATH for a file, or PLAN=KEY"),
} as const;
