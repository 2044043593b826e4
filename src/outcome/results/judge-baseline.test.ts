import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  exampleLog,
  exampleResults,
  fault,
  inconclusive,
  notApplicable,
  violated,
  withoutKinds,
  type ExampleChanges,
} from '../../report/example-run.test.support.js';
import type { AcceptedDeviation } from '../../log/header-record.js';
import { acceptedEntry as entry } from '../acceptance/baseline.test.support.js';
import { exitCodeWithBaseline, judgeBaseline, remarksOnEntries } from './judge-baseline.js';

const TODAY = '2026-11-20';

describe('a run compared with a baseline', () => {
  const { scope } = exampleLog().header;
  const failing = { findings: [violated('list-ok')] };
  const table: readonly {
    readonly name: string;
    readonly run: ExampleChanges;
    readonly entries: readonly AcceptedDeviation[];
    readonly problems: readonly string[];
    readonly exit: number;
  }[] = [
    {
      name: 'passes if the baseline is empty and nothing fails',
      run: {},
      entries: [],
      problems: [],
      exit: 0,
    },
    {
      name: 'passes if only the accepted requirement fails',
      run: failing,
      entries: [entry()],
      problems: [],
      exit: 0,
    },
    {
      name: 'accepts an entry on its last day',
      run: failing,
      entries: [entry({ expires: TODAY })],
      problems: [],
      exit: 0,
    },
    {
      name: 'reports an expired entry',
      run: failing,
      entries: [entry({ expires: '2026-11-19' })],
      problems: ['expired'],
      exit: 1,
    },
    {
      name: 'reports an entry as stale if its requirement passes',
      run: {},
      entries: [entry()],
      problems: ['stale'],
      exit: 1,
    },
    {
      name: 'reports an entry with an unknown id',
      run: {},
      entries: [entry({ requirement: 'list-okay' as 'list-ok' })],
      problems: ['unmatched'],
      exit: 1,
    },
    {
      name: 'does not accept an outcome that differs from the entry',
      run: { findings: [inconclusive('list-ok')] },
      entries: [entry()],
      problems: ['unmatched', 'unaccepted'],
      exit: 1,
    },
    {
      name: 'reports an entry whose requirement was not tested',
      run: { findings: [notApplicable('list-ok')] },
      entries: [entry()],
      problems: ['unmatched'],
      exit: 1,
    },
    {
      name: 'reports a failure without an entry',
      run: failing,
      entries: [],
      problems: ['unaccepted'],
      exit: 1,
    },
    {
      name: 'reports a second failure without an entry',
      run: { findings: [violated('list-ok'), violated('get-ok')] },
      entries: [entry()],
      problems: ['unaccepted'],
      exit: 1,
    },
    {
      name: 'reports an inconclusive "must" requirement without an entry',
      run: { findings: [inconclusive('list-ok')] },
      entries: [],
      problems: ['unaccepted'],
      exit: 3,
    },
    {
      name: 'accepts an inconclusive outcome with a matching entry',
      run: { findings: [inconclusive('list-ok')] },
      entries: [entry({ outcome: 'inconclusive' })],
      problems: [],
      exit: 0,
    },
    {
      name: 'accepts that a requirement passes which a failure that is still there held up by chance',
      run: failing,
      entries: [entry(), entry({ requirement: 'get-ok', outcome: 'inconclusive', heldUpBy: ['list-ok'] })],
      problems: [],
      exit: 0,
    },
    {
      name: 'reports an entry of a requirement that a failure held up, if that is gone',
      run: {},
      entries: [entry({ requirement: 'get-ok', outcome: 'inconclusive', heldUpBy: ['list-ok'] })],
      problems: ['stale'],
      exit: 1,
    },
    {
      name: 'reports an entry that names nothing which held up its requirement',
      run: failing,
      entries: [entry(), entry({ requirement: 'get-ok', outcome: 'inconclusive' })],
      problems: ['stale'],
      exit: 1,
    },
    {
      name: 'reports a failure of a requirement that was held up',
      run: { findings: [violated('list-ok'), violated('get-ok')] },
      entries: [entry(), entry({ requirement: 'get-ok', outcome: 'inconclusive', heldUpBy: ['list-ok'] })],
      problems: ['unmatched', 'unaccepted'],
      exit: 1,
    },
    {
      name: 'needs no entry for a warning',
      run: { findings: [violated('auth-challenge')] },
      entries: [],
      problems: [],
      exit: 0,
    },
    {
      name: 'allows an entry for a warning',
      run: { findings: [violated('auth-challenge')] },
      entries: [entry({ requirement: 'auth-challenge', outcome: 'warned' })],
      problems: [],
      exit: 0,
    },
    {
      name: 'reports an error of the kit',
      run: { findings: [fault('list-ok')] },
      entries: [],
      problems: ['unaccepted'],
      exit: 2,
    },
    {
      name: 'reports an error of the kit despite an entry for a failure',
      run: { findings: [fault('list-ok')] },
      entries: [entry()],
      problems: ['unmatched', 'unaccepted'],
      exit: 2,
    },
    {
      name: 'reports an interrupted run',
      run: { ...failing, footer: false },
      entries: [entry()],
      problems: ['incomplete'],
      exit: 1,
    },
    {
      name: 'reports an interrupted run without failures',
      run: { footer: false },
      entries: [],
      problems: ['incomplete'],
      exit: 3,
    },
    {
      name: 'reports a run that tested nothing',
      run: { findings: exampleResults().requirements.map((row) => notApplicable(row.id)) },
      entries: [],
      problems: ['nothing-judged'],
      exit: 3,
    },
    {
      name: 'ignores an entry outside the selection',
      run: { header: { scope: { ...scope, selection: { requirements: ['get-ok'] }, selected: ['get-ok'] } } },
      entries: [entry()],
      problems: [],
      exit: 0,
    },
  ];
  for (const { name, run, entries, problems, exit } of table) {
    test(name, () => {
      const results = exampleResults(run);
      const judgement = judgeBaseline(results, entries, TODAY);
      assert.deepEqual(
        judgement.problems.map(({ kind }) => kind),
        problems,
      );
      assert.equal(judgement.met, problems.length === 0);
      assert.equal(exitCodeWithBaseline(judgement, results.verdict), exit);
      for (const { message } of judgement.problems) assert.match(message, /^\S.+\.$/);
    });
  }

  test('lists used entries, and ignores entries outside the selection', () => {
    const selected = ['get-ok', 'list-ok'] as const;
    const results = exampleResults({
      header: { scope: { ...scope, selection: { requirements: selected }, selected } },
      findings: [violated('list-ok')],
    });
    const other = entry({ requirement: 'create-ok' });
    const { accepted, problems } = judgeBaseline(results, [entry(), other], TODAY);
    assert.deepEqual([accepted, problems], [[entry()], []]);
  });
});

describe('an entry that holds what was found', () => {
  const results = exampleResults({ findings: [violated('list-ok')] });
  const judged = (found?: readonly string[], changes: Partial<AcceptedDeviation> = {}) =>
    judgeBaseline(results, [entry({ ...(found && { found: [...found] }), ...changes })], TODAY);

  test('accepts these findings, also where fewer of them occur', () => {
    assert.equal(judged(['listPets']).met, true);
    assert.equal(judged(['listPets: 500', 'listPets']).met, true);
  });

  test('does not accept another finding of the row', () => {
    const { met, problems, accepted } = judged(['listPets: 500']);
    assert.deepEqual([met, accepted], [false, []]);
    assert.deepEqual(
      problems.map(({ kind, id }) => [kind, id]),
      [['other-finding', 'list-ok']],
    );
    assert.match(
      problems[0]?.message ?? '',
      /^The baseline accepts list-ok for other findings\. This run also found: listPets\./,
    );
    assert.equal(exitCodeWithBaseline(judged(['listPets: 500']), 'non-conformant'), 1);
    const expired = judged(['listPets: 500'], { expires: '2026-11-19' });
    assert.match(expired.problems[0]?.message ?? '', /The entry expired on 2026-11-19, too\.$/);
  });

  test('of an earlier file accepts any finding, and says so', () => {
    assert.equal(judged().met, true);
    assert.match(
      remarksOnEntries(judged().accepted).join('\n'),
      /^The entry of list-ok has no "found", so any finding is accepted there\./,
    );
    assert.deepEqual(remarksOnEntries(judged(['listPets']).accepted), []);
  });

  test('accepts the findings of an earlier kit, which have no kind', () => {
    assert.equal(
      judgeBaseline(withoutKinds(results), [entry({ found: ['listPets: 500'] })], TODAY).met,
      true,
    );
  });
});
