import type { LogHeader } from '../log/record.js';

type Ci = NonNullable<LogHeader['ci']>;
type Environment = Readonly<Record<string, string | undefined>>;

/** How a CI system names what it builds, each by its documented variables. */
const SYSTEMS: readonly {
  readonly system: string;
  readonly mark: string;
  readonly read: (env: Environment) => Found;
}[] = [
  {
    system: 'GitHub Actions',
    mark: 'GITHUB_ACTIONS',
    read: (env) => ({
      commit: env['GITHUB_SHA'],
      // Of a pull request, its own branch: GITHUB_REF_NAME is then `7/merge`.
      branch: env['GITHUB_HEAD_REF'] || env['GITHUB_REF_NAME'],
      build: env['GITHUB_RUN_ID'],
      number: env['GITHUB_RUN_NUMBER'],
      name: env['GITHUB_WORKFLOW'],
      url: joined(env['GITHUB_SERVER_URL'], env['GITHUB_REPOSITORY'], 'actions/runs', env['GITHUB_RUN_ID']),
      repository: env['GITHUB_REPOSITORY'],
      repositoryUrl: joined(env['GITHUB_SERVER_URL'], env['GITHUB_REPOSITORY']),
    }),
  },
  {
    system: 'GitLab CI',
    mark: 'GITLAB_CI',
    read: (env) => ({
      commit: env['CI_COMMIT_SHA'],
      branch: env['CI_MERGE_REQUEST_SOURCE_BRANCH_NAME'] || env['CI_COMMIT_REF_NAME'],
      build: env['CI_PIPELINE_ID'],
      number: env['CI_PIPELINE_IID'],
      name: env['CI_JOB_NAME'],
      url: env['CI_JOB_URL'] || env['CI_PIPELINE_URL'],
      repository: env['CI_PROJECT_PATH'],
      repositoryUrl: env['CI_PROJECT_URL'],
    }),
  },
  {
    system: 'Azure Pipelines',
    mark: 'TF_BUILD',
    read: (env) => ({
      commit: env['BUILD_SOURCEVERSION'],
      // BUILD_SOURCEBRANCHNAME has only the part after the last slash.
      branch: (env['SYSTEM_PULLREQUEST_SOURCEBRANCH'] || env['BUILD_SOURCEBRANCH'])?.replace(/^refs\/heads\//, ''),
      build: env['BUILD_BUILDID'],
      number: env['BUILD_BUILDID'],
      name: env['BUILD_DEFINITIONNAME'],
      url:
        env['BUILD_BUILDID'] &&
        joined(
          env['SYSTEM_COLLECTIONURI'],
          env['SYSTEM_TEAMPROJECT'] && encodeURIComponent(env['SYSTEM_TEAMPROJECT']),
          `_build/results?buildId=${env['BUILD_BUILDID']}`,
        ),
      repository: env['BUILD_REPOSITORY_NAME'],
      repositoryUrl: env['BUILD_REPOSITORY_URI'],
    }),
  },
  {
    system: 'Jenkins',
    mark: 'JENKINS_URL',
    read: (env) => ({
      commit: env['GIT_COMMIT'],
      branch: env['CHANGE_BRANCH'] || env['BRANCH_NAME'] || env['GIT_BRANCH']?.replace(/^origin\//, ''),
      build: env['BUILD_TAG'] || env['BUILD_ID'],
      number: env['BUILD_NUMBER'],
      name: env['JOB_NAME'],
      url: env['BUILD_URL'],
      repository: undefined,
      repositoryUrl: env['GIT_URL'],
    }),
  },
];

type Found = Readonly<Record<Exclude<keyof Ci, 'system'>, string | undefined>>;

/** Longest value: a branch's name may have 250 characters, an address more. */
const LONGEST = 500;

/**
 * Returns what the CI system says of the build in which the kit runs, by the usual variables of GitHub, GitLab, Azure and
 * Jenkins; undefined elsewhere. It is the pipeline's commit, which need not be the server's. An address keeps no password,
 * and values of several lines are left out.
 */
export function ciOf(env: Environment): Ci | undefined {
  const known = SYSTEMS.find(({ mark }) => (env[mark] ?? '') !== '');
  if (known === undefined) return undefined;
  const found = Object.entries(known.read(env)).flatMap(([name, value]) => {
    const text = name === 'url' || name === 'repositoryUrl' ? withoutPassword(value) : value;
    return text === undefined || text === '' || text.length > LONGEST || /\p{Cc}/u.test(text) ? [] : [[name, text]];
  });
  return { system: known.system, ...(Object.fromEntries(found) as Partial<Ci>) };
}

/** Joins parts of an address; undefined if one is missing. */
const joined = (...parts: readonly (string | undefined)[]): string | undefined =>
  parts.some((part) => part === undefined || part === '')
    ? undefined
    : parts.map((part) => part?.replace(/\/+$/, '')).join('/');

/** Returns an address without user and password: a checkout's address may contain a token. Undefined if it is none. */
function withoutPassword(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}
