/** The options that name a target, of `run` as of `load`. */
export const targetOptions = {
  target: {
    type: 'string',
    requiresArg: true,
    describe: 'A target file, or one of embedded, staging, production',
  },
  'base-url': { type: 'string', requiresArg: true, describe: 'The address of a server, up to and with /v1' },
  key: {
    type: 'string',
    array: true,
    requiresArg: true,
    nargs: 1,
    default: [] as string[],
    describe: "PLAN='${NAME}' for a variable of the environment, PLAN=file:PATH for a file, or PLAN=KEY",
  },
} as const;
