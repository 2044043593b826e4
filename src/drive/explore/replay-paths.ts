/** Separates the paths of several stories that are replayed one after the other. */
const AND = ',';

/** Returns the paths of the stories of a replay, in order. */
export const pathsOf = (replay: string): readonly string[] => replay.split(AND);

/** Returns the replay of stories, each once; that of the census, whose path is empty, needs no story. */
export const replayOf = (paths: readonly string[]): string =>
  [...new Set(paths)].filter((path) => path !== '').join(AND);
