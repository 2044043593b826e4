/** Words of earlier versions of the kit, for those who still type them. */

const INSTEAD =
  'Use load --workers N for the cores of one machine, or load --agents N for several machines; both ' +
  'split the scenario, start at one moment and merge the parts themselves. See docs/scale.md.';

export const REMOVED_COMMANDS: ReadonlyMap<string, string> = new Map([['merge', INSTEAD]]);

export const REMOVED_OPTIONS: ReadonlyMap<string, string> = new Map([
  ['load --slice', INSTEAD],
  ['load --start-at', `To begin at a time, start the command then. ${INSTEAD}`],
]);
