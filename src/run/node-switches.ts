/*
 * Switches of Node for a child process. A child gets neither the switches of its parent's command line nor changes to
 * NODE_OPTIONS unless it is given them: with other certificate, resolver or preload switches it would reach another server.
 */

/**
 * Debuggers and profilers belong to one process, and would hold the child or take its port. Some take a
 * second word.
 */
const OF_ONE_PROCESS = /^--(inspect|debug|cpu-prof|heap-prof|prof|trace-event|report-)/;
const WITH_VALUE = /^--(inspect-port|debug-port|inspect-publish-uid)$/;
/** Switches that say what this process runs, or how much memory it has: the child has its own. */
const OF_THE_PROGRAM =
  /^(-e|-p|-pe|-i|-c|--(eval|print|interactive|check|test|watch|run|expose-internals|max-(old|semi)-space-size))(=|-|$)/;
const PROGRAM_WITH_VALUE =
  /^(-e|--eval|-p|--print|-pe|--run|--watch-path|--test-name-pattern|--test-reporter)$/;

export function switchesForChild(switches: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at < switches.length; at += 1) {
    const word = switches[at] ?? '';
    const name = word.replaceAll('_', '-');
    if (WITH_VALUE.test(name) || PROGRAM_WITH_VALUE.test(name)) at += 1;
    else if (!OF_ONE_PROCESS.test(name) && !OF_THE_PROGRAM.test(name)) kept.push(word);
  }
  return kept;
}

/** Returns the words of NODE_OPTIONS, with their quotation marks. */
export const wordsOfOptions = (text: string): readonly string[] =>
  text.match(/(?:"(?:\\.|[^"\\])*"|\S)+/g) ?? [];
