/** Separates the paths of several stories that are replayed one after the other. */
const AND = ',';

export const pathOfFetch = (id: string): string => `pets/${id}`;

export const fetchedBy = (path: string): string | null => /^pets\/(-?\d{1,19})$/.exec(path)?.[1] ?? null;

/** Path of the story that lists all animals, as the census does. */
export const PATH_OF_LISTING = 'pets';

export const pathsOf = (replay: string): readonly string[] => replay.split(AND);

/** Returns the replay of stories, each once; that of the census, whose path is empty, needs no story. */
export const replayOf = (paths: readonly string[]): string =>
  [...new Set(paths)].filter((path) => path !== '').join(AND);
