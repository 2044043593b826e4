import type { LogHeader } from '../log/record.js';
import type { Environment } from '../wire/targets/placeholders.js';

type Ci = NonNullable<LogHeader['ci']>;

/**
 * How a CI system names what it builds, by its documented variables. Of several templates the first counts
 * whose variables are all set; `${NAME#BEGINNING}` is the value without that beginning, as in shells.
 */
interface System {
  readonly system: string;
  readonly mark: string;
  readonly members: Readonly<Partial<Record<Exclude<keyof Ci, 'system'>, string | readonly string[]>>>;
}

const SYSTEMS: readonly System[] = [
  {
    system: 'GitHub Actions',
    mark: 'GITHUB_ACTIONS',
    members: {
      commit: '${GITHUB_SHA}',
      // Of a pull request, its own branch: GITHUB_REF_NAME is then `7/merge`.
      branch: ['${GITHUB_HEAD_REF}', '${GITHUB_REF_NAME}'],
      build: '${GITHUB_RUN_ID}',
      number: '${GITHUB_RUN_NUMBER}',
      name: '${GITHUB_WORKFLOW}',
      url: '${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}',
      repository: '${GITHUB_REPOSITORY}',
      repositoryUrl: '${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}',
    },
  },
  {
    system: 'GitLab CI',
    mark: 'GITLAB_CI',
    members: {
      commit: '${CI_COMMIT_SHA}',
      branch: ['${CI_MERGE_REQUEST_SOURCE_BRANCH_NAME}', '${CI_COMMIT_REF_NAME}'],
      build: '${CI_PIPELINE_ID}',
      number: '${CI_PIPELINE_IID}',
      name: '${CI_JOB_NAME}',
      url: ['${CI_JOB_URL}', '${CI_PIPELINE_URL}'],
      repository: '${CI_PROJECT_PATH}',
      repositoryUrl: '${CI_PROJECT_URL}',
    },
  },
  {
    system: 'Azure Pipelines',
    mark: 'TF_BUILD',
    members: {
      commit: '${BUILD_SOURCEVERSION}',
      // BUILD_SOURCEBRANCHNAME has only the part after the last slash.
      branch: ['${SYSTEM_PULLREQUEST_SOURCEBRANCH#refs/heads/}', '${BUILD_SOURCEBRANCH#refs/heads/}'],
      build: '${BUILD_BUILDID}',
      number: '${BUILD_BUILDID}',
      name: '${BUILD_DEFINITIONNAME}',
      url: '${SYSTEM_COLLECTIONURI}/${SYSTEM_TEAMPROJECT}/_build/results?buildId=${BUILD_BUILDID}',
      repository: '${BUILD_REPOSITORY_NAME}',
      repositoryUrl: '${BUILD_REPOSITORY_URI}',
    },
  },
  {
    system: 'Jenkins',
    mark: 'JENKINS_URL',
    members: {
      commit: '${GIT_COMMIT}',
      branch: ['${CHANGE_BRANCH}', '${BRANCH_NAME}', '${GIT_BRANCH#origin/}'],
      build: ['${BUILD_TAG}', '${BUILD_ID}'],
      number: '${BUILD_NUMBER}',
      name: '${JOB_NAME}',
      url: '${BUILD_URL}',
      repositoryUrl: '${GIT_URL}',
    },
  },
];

/** Longest value: a branch's name may have 250 characters, an address more. */
const LONGEST = 500;

/**
 * Returns what the CI system says of the build in which the kit runs, by the usual variables of GitHub,
 * GitLab, Azure and Jenkins; undefined elsewhere. It is the pipeline's commit, which need not be the
 * server's. An address keeps no password, and values of several lines are left out.
 */
export function ciOf(env: Environment): Ci | undefined {
  const known = SYSTEMS.find(({ mark }) => (env[mark] ?? '') !== '');
  if (known === undefined) return undefined;
  const found = Object.entries(known.members).flatMap(([name, templates]) => {
    const [value] = [templates].flat().flatMap((template) => filledIn(template, env) ?? []);
    const text = name === 'url' || name === 'repositoryUrl' ? withoutPassword(value) : value;
    return text === undefined || text.length > LONGEST || /\p{Cc}/u.test(text) ? [] : [[name, text]];
  });
  return { system: known.system, ...(Object.fromEntries(found) as Partial<Ci>) };
}

/** Undefined if a variable is missing. A value before a slash loses its own at its end. */
function filledIn(template: string, env: Environment): string | undefined {
  let isWhole = true;
  const text = template.replace(
    /\$\{(\w+)#?([^}]*)\}(\/?)/g,
    (_, name: string, beginning: string, slash: string) => {
      const value = env[name] ?? '';
      isWhole &&= value !== '';
      const own = value.startsWith(beginning) ? value.slice(beginning.length) : value;
      return slash === '' ? own : `${own.replace(/\/+$/, '')}/`;
    },
  );
  return isWhole && text !== '' ? text : undefined;
}

/** A checkout's address may contain a token. Undefined for a text that is no address. */
function withoutPassword(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}
