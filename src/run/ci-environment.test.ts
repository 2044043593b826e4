import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ciOf } from './ci-environment.js';

const SHA = '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12';

describe('the build of a CI system', () => {
  const cases: readonly (readonly [what: string, env: Record<string, string>, expected: object])[] = [
    [
      'GitHub Actions, for a pull request on an own server',
      {
        GITHUB_ACTIONS: 'true',
        GITHUB_SHA: SHA,
        GITHUB_HEAD_REF: 'feature/x',
        GITHUB_REF_NAME: '7/merge',
        GITHUB_RUN_ID: '71',
        GITHUB_RUN_NUMBER: '5',
        GITHUB_WORKFLOW: 'ci',
        GITHUB_SERVER_URL: 'https://github.example.com',
        GITHUB_REPOSITORY: 'pets/store',
      },
      {
        system: 'GitHub Actions',
        commit: SHA,
        branch: 'feature/x',
        build: '71',
        number: '5',
        name: 'ci',
        url: 'https://github.example.com/pets/store/actions/runs/71',
        repository: 'pets/store',
        repositoryUrl: 'https://github.example.com/pets/store',
      },
    ],
    [
      'GitHub Actions, for a push',
      { GITHUB_ACTIONS: 'true', GITHUB_HEAD_REF: '', GITHUB_REF_NAME: 'main' },
      { system: 'GitHub Actions', branch: 'main' },
    ],
    [
      'GitLab CI',
      {
        GITLAB_CI: 'true',
        CI_COMMIT_SHA: SHA,
        CI_COMMIT_REF_NAME: 'main',
        CI_PIPELINE_ID: '900',
        CI_PIPELINE_IID: '12',
        CI_JOB_NAME: 'conformance',
        CI_JOB_URL: 'https://gitlab.example.com/pets/store/-/jobs/1',
        CI_PROJECT_PATH: 'pets/store',
        CI_PROJECT_URL: 'https://gitlab.example.com/pets/store',
        CI_REPOSITORY_URL: 'https://gitlab-ci-token:secret@gitlab.example.com/pets/store.git',
      },
      {
        system: 'GitLab CI',
        commit: SHA,
        branch: 'main',
        build: '900',
        number: '12',
        name: 'conformance',
        url: 'https://gitlab.example.com/pets/store/-/jobs/1',
        repository: 'pets/store',
        repositoryUrl: 'https://gitlab.example.com/pets/store',
      },
    ],
    [
      'Jenkins, without the password of its remote',
      {
        JENKINS_URL: 'https://ci.example.com/',
        GIT_COMMIT: SHA,
        GIT_BRANCH: 'origin/feature/x',
        BUILD_NUMBER: '33',
        BUILD_TAG: 'jenkins-pets-33',
        BUILD_URL: 'https://ci.example.com/job/pets/33/',
        JOB_NAME: 'pets',
        GIT_URL: 'https://me:secret@git.example.com/pets.git',
      },
      {
        system: 'Jenkins',
        commit: SHA,
        branch: 'feature/x',
        build: 'jenkins-pets-33',
        number: '33',
        name: 'pets',
        url: 'https://ci.example.com/job/pets/33/',
        repositoryUrl: 'https://git.example.com/pets.git',
      },
    ],
    [
      'Azure Pipelines',
      {
        TF_BUILD: 'True',
        BUILD_SOURCEVERSION: SHA,
        BUILD_SOURCEBRANCH: 'refs/heads/feature/x',
        BUILD_SOURCEBRANCHNAME: 'x',
        BUILD_BUILDID: '44',
        BUILD_DEFINITIONNAME: 'conformance',
        SYSTEM_COLLECTIONURI: 'https://dev.azure.example.com/org/',
        SYSTEM_TEAMPROJECT: 'Pet Store',
        BUILD_REPOSITORY_NAME: 'store',
        BUILD_REPOSITORY_URI: 'https://org@dev.azure.example.com/org/store',
      },
      {
        system: 'Azure Pipelines',
        commit: SHA,
        branch: 'feature/x',
        build: '44',
        number: '44',
        name: 'conformance',
        url: 'https://dev.azure.example.com/org/Pet%20Store/_build/results?buildId=44',
        repository: 'store',
        repositoryUrl: 'https://dev.azure.example.com/org/store',
      },
    ],
  ];
  for (const [what, env, expected] of cases)
    test(`is read on ${what}`, () => assert.deepEqual(ciOf(env), expected));

  test('is absent elsewhere, and leaves out values of several lines', () => {
    assert.equal(ciOf({ GITHUB_SHA: SHA, GIT_COMMIT: SHA, BUILD_NUMBER: '1' }), undefined);
    assert.deepEqual(ciOf({ GITLAB_CI: 'true', CI_COMMIT_REF_NAME: 'a\nb' }), { system: 'GitLab CI' });
  });
});
