/**
 * Variables that configure Playwright: its reports and their folder, its reporters, its debugger. `PWD` is
 * the shell's.
 */
const PLAYWRIGHTS = /^(?:PLAYWRIGHT_|PW_|PWTEST_|PWMCP_|PWDEBUG|PWPAUSE)/i;

/**
 * Returns an environment without the variables of Playwright. They belong to the user's own tests: in the
 * suites' process they would move its report into a folder of the user, which Playwright empties, or replace
 * its reporter.
 */
export const withoutPlaywrights = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !PLAYWRIGHTS.test(name)));
