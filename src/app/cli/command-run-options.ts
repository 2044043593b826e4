import { planNames } from '../../base/interface/names.js';
import { flag, text, texts } from './options.js';

/* Options of runs, which several commands share, with their titles in the help. */

const SERVER = { group: 'The server' } as const;
const JUDGED = { group: 'What is judged' } as const;
const BEYOND = { group: 'Beyond the suites' } as const;
const OWN = { group: 'Your own suites' } as const;
const FOLLOWS = { group: 'Results' } as const;
export const SHOWN = { group: 'Output', isOnce: true } as const;
/** Of results and output, not of what a run does: a line that repeats the run leaves it out. */
export const ONCE = { isOnce: true } as const;

export const server = {
  target: text('A target file, or one of embedded, staging, production', SERVER),
  'base-url': text('The address of a server, ending with /v1', SERVER),
  key: texts("PLAN='${NAME}' for an environment variable, PLAN=file:PATH for a file, or PLAN=KEY", {
    ...SERVER,
    repeatsAs: withoutKey,
  }),
};

export const reportDir = text('The folder for the report, instead of a new one in reports/', SHOWN);
const notify = text(
  "An address to which the verdict and changes are posted as JSON; '${NAME}' reads an environment variable",
  { ...FOLLOWS, ...ONCE },
);
export const reportUrl = text('The address at which run folders are published, for links', {
  ...FOLLOWS,
  ...ONCE,
});
export const properties = text(
  'A map of requirement ids to your own properties of test cases in junit.xml, or none',
  {
    ...FOLLOWS,
    ...ONCE,
  },
);
export const reporter = text('Output format', {
  ...SHOWN,
  choices: ['auto', 'list', 'github', 'quiet'],
  usual: 'auto',
});
export const only = text('Run only the suites or only the load', { ...JUDGED, choices: ['suites', 'load'] });

export const judging = {
  requirement: texts('A requirement id, with * for any characters', JUDGED),
  quick: flag('Ask only for the limit and the way back after it: 70 seconds, not five minutes', JUDGED),
  'last-failed': flag('Only requirements that earlier runs of this target left open', { ...JUDGED, ...ONCE }),
  profile: texts(
    'A load profile: burst, recovery, window, steady, concurrent, watch, ban or day-quota; or explore, with the suites',
    JUDGED,
  ),
  plan: texts('A plan to send load with', { ...JUDGED, choices: planNames, usual: undefined }),
  include: texts('Add a profile that is off by default', {
    ...JUDGED,
    choices: ['ban', 'day-quota'],
    usual: undefined,
  }),
  explore: text(
    'Search for faults that the suites miss, with this many requests; default: a quarter of the plan’s minute, at most 1,000',
    { ...BEYOND, mayBeBare: true },
  ),
  seed: text('Seed of exploring, to repeat it', BEYOND),
  replay: text('SEED:PATH, a story of exploring to repeat', BEYOND),
  'explore-animals': text('Most animals that exploring leaves behind; default: 100', BEYOND),
  suite: texts("Your own suites in addition to the kit's: a file, a folder or a quoted pattern", {
    ...OWN,
    usual: undefined,
  }),
  ledger: text('The ledger of your suites; default: requirements.yaml in their folder', OWN),
  'own-decide': flag('Let your suites affect the verdict and the exit code', OWN),
  'read-only': flag('Send no request that creates an animal', SERVER),
  'as-of': text('The date, YYYY-MM-DD, at which to judge the deprecated operation', JUDGED),
  baseline: text('A file of accepted deviations', FOLLOWS),
  certify: flag('Write a certificate, or print why there is none', FOLLOWS),
  label: text('The build of the server, e.g. 2.4.1; history uses it to find flaky requirements', {
    ...FOLLOWS,
    ...ONCE,
  }),
  subject: texts('What runs there, for the certificate: NAME@sha256:DIGEST or gitCommit:DIGEST', {
    ...FOLLOWS,
    ...ONCE,
  }),
  properties,
  notify,
  'report-url': reportUrl,
  'allow-load-on-production': flag('Permit bursts on a target marked as production', SERVER),
  'dry-run': flag('Print the plan and send nothing', SHOWN),
  reporter,
  'report-dir': reportDir,
};

/** Returns a key option for display: its source, or a variable to put it into. */
function withoutKey(option: string): string {
  const plan = option.slice(0, Math.max(0, option.indexOf('=')));
  return /^(\$\{\w+(:-)?\}$|file:)/.test(option.slice(plan.length + 1))
    ? option
    : `${plan}=\${PETSTORE_${plan.toUpperCase()}_KEY}`;
}
