import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { gather } from '../../log/gathered.test.support.js';
import { sha256 } from '../../base/kernel/config-file.js';
import { violated } from '../../report/example-run.test.support.js';
import {
  attestationIn,
  certificateIn,
  certifiedLog,
  certifiedRecords,
  ndjson,
} from '../../outcome/acceptance/certified-run.test.support.js';
import { aRun, LISTS } from './support/a-run.js';
import { petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';
import { closedPort } from './support/servers.js';
import { reference, targetFile } from './support/targets.js';

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** Judges one requirement with `--certify`; the folder has a baseline that accepts nothing. */
const judge = async (t: TestContext, flaws: readonly string[], ...words: readonly string[]) => {
  const cwd = folder(t);
  const server = await reference(t, { flaws });
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  writeFileSync(join(cwd, 'baseline.yaml'), 'schemaVersion: 1\naccepted: []\n');
  const run = [
    'run',
    '--target',
    file,
    '--requirement',
    'list-limit-default',
    '--certify',
    '--report-dir',
    'run',
  ];
  const ended = await petstoreHere([...run, ...words], { cwd, env });
  return { ...ended, page: () => readFileSync(join(cwd, 'run/index.html'), 'utf8') };
};

describe('a run with --certify that gets no certificate', () => {
  test('exits with 3 on a good verdict and states the reason everywhere', async (t) => {
    const { code, stdout, stderr, page } = await judge(t, []);
    assert.equal(code, 3, stdout + stderr);
    assert.match(oneLine(stderr), /^warning No certificate from this run: .* Only a selection is judged\. /);
    assert.match(stderr, /^no certificate {2}Only a selection of the requirements was judged\.$/m);
    assert.match(
      oneLine(stdout),
      /; no certificate: Only a selection of the requirements was judged \(and \d+ more reasons?\);/,
    );
    assert.match(page(), /<h2>No certificate<\/h2>/);
    assert.match(page(), /Only a selection of the requirements was judged/);
  });

  test('exits with 1 if a required behaviour is violated', async (t) => {
    const { code, stderr } = await judge(t, ['default-limit-twenty-five']);
    assert.equal(code, 1, stderr);
    assert.match(stderr, /^no certificate/m);
    assert.match(oneLine(stderr), /list-limit-default failed\./);
  });

  test('exits with 3 if a baseline is given, and states a reason with the quiet reporter, too', async (t) => {
    const { code, stdout, stderr } = await judge(t, [], '--baseline', 'baseline.yaml', '--reporter', 'quiet');
    assert.equal(code, 3, stdout + stderr);
    assert.match(stdout, /; no certificate: \S/);
    assert.match(stderr, /A baseline of accepted deviations was given\./);
    assert.match(stderr, /^baseline +met: \d+ accepted deviation/m);
  });

  test('exits with 3 if nothing could be judged, and with 2 on wrong options', async (t) => {
    const cwd = folder(t);
    const { file, env } = targetFile(cwd, await closedPort(), 'pk-some-key-of-a-test-1234567890');
    const judged = await petstoreHere(
      ['run', '--target', file, '--certify', '--only', 'suites', '--report-dir', 'run'],
      {
        cwd,
        env,
      },
    );
    assert.equal(judged.code, 3, judged.stderr);
    // The reason why it cannot start is enough.
    assert.match(judged.stdout, /^Cannot start: nothing listens/m);
    assert.deepEqual(
      readdirSync(join(cwd, 'run')).filter((name) => name.startsWith('certificate')),
      [],
    );
    const misused = await petstoreHere(['run', '--target', file, '--certify', '--requirement', 'lits-ok'], {
      cwd,
      env,
    });
    assert.equal(misused.code, 2, misused.stderr);
  });

  test('does not mention a certificate without --certify', async () => {
    const { code, stdout, directory } = await aRun(LISTS);
    assert.equal(code, 0);
    assert.doesNotMatch(stdout, /certificate/);
    assert.match(
      readFileSync(join(directory, 'index.html'), 'utf8'),
      /<dt>Certificate<\/dt>.{0,40}not requested/s,
    );
  });
});

/** Runs `verify` on the day after the run. */
const verify = (words: readonly string[], how: { readonly cwd: string }) =>
  petstoreHere(['verify', ...words, '--as-of', '2026-11-21'], how);

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`;

/** Writes a run's log with its certificate and its Statement; `change` replaces parts of them. */
function certified(
  t: TestContext,
  change: {
    readonly records?: ReturnType<typeof certifiedRecords>;
    readonly certificate?: object;
    readonly attestation?: (made: ReturnType<typeof attestationIn>) => object;
    readonly log?: string;
    /** True if the certificate is of a run without these changes. */
    readonly forged?: boolean;
  } = {},
): string {
  const cwd = folder(t);
  const text = ndjson(change.records ?? certifiedRecords());
  // A log that earns no certificate stands in for the one that did.
  const log =
    change.records?.at(-1)?.type === 'footer' && !change.forged ? gather(change.records) : certifiedLog();
  const hash = sha256(text);
  const statement = attestationIn(log, hash);
  const write = (name: string, value: string) => writeFileSync(join(cwd, name), value);
  write('log.ndjson', change.log ?? text);
  write('pointer.json', POINTER);
  write('certificate.json', JSON.stringify({ ...certificateIn(log, hash), ...change.certificate }));
  write('certificate.intoto.json', JSON.stringify(change.attestation?.(statement) ?? statement));
  return cwd;
}

describe('verify', () => {
  for (const [name, other] of [
    ['certificate.json', 'certificate.intoto.json'],
    ['certificate.intoto.json', 'certificate.json'],
  ] as const) {
    test(`exits with 0 for ${name} and states coverage, gaps and what it proves`, async (t) => {
      const cwd = certified(t);
      const { code, stdout, stderr } = await verify([name], { cwd });
      assert.equal(code, 0, stdout + stderr);
      assert.match(stdout, /^holds +staging is certified for/);
      const said = oneLine(stdout);
      assert.match(
        said,
        /not covered the plans Pro and Enterprise \(no key\) bans and the day's quota \(opt-in\)/,
      );
      assert.match(said, /age The certificate holds, and is 1 day old; valid until 2027-02-18\./);
      assert.match(
        said,
        /covers \d+ of \d+ required behaviours; the requests per minute of the plans Free and Business/,
      );
      assert.match(said, new RegExp(`checked ${name} and ${other} against log\\.ndjson`));
      assert.match(said, /proves not its author: without a signature, .* can make a new certificate/);
    });

    test(`exits with 0 for ${name} without the other file`, async (t) => {
      const cwd = certified(t);
      rmSync(join(cwd, other));
      const { code, stdout } = await verify([name], { cwd });
      assert.equal(code, 0);
      assert.match(stdout, new RegExp(`^checked +${name} against log\\.ndjson$`, 'm'));
    });
  }

  test('compares its age with its last day, with --max-age and with --as-of', async (t) => {
    const cwd = certified(t);
    const outcomes = [
      [['--as-of', '2027-02-18'], 0, /^holds +staging[\s\S]*and is 2 months old; valid until/],
      [
        ['--as-of', '2027-02-19'],
        1,
        /^expired +staging[\s\S]*holds, and is 2 months old; its time ended on\s+2027-02-18/,
      ],
      [['--as-of', '2027-04-20'], 1, /^expired +staging[\s\S]*holds, and is 4 months old; its time ended/],
      [
        ['--as-of', '2027-04-20', '--allow-expired'],
        0,
        /^holds +staging[\s\S]*its time ended on\s+2027-02-18/,
      ],
      [['--as-of', '2026-12-30', '--max-age', '30d'], 1, /^too old +staging[\s\S]*more than 30 days/],
      [['--as-of', '2026-12-30', '--max-age', '6w'], 0, /^holds +staging/],
      [['--as-of', '2026-12-30', '--max-age', '30d', '--allow-expired'], 0, /^holds +staging/],
      [
        ['--as-of', '2026-11-19', '--allow-expired'],
        1,
        /^not yet valid +staging[\s\S]*dated 2026-11-20, which is after/,
      ],
      [['--max-age', '30h'], 2, /^$/],
      [['--as-of', '2027-02-30'], 2, /^$/],
    ] as const;
    for (const [words, code, said] of outcomes) {
      const ended = await petstoreHere(['verify', 'certificate.json', ...words], { cwd });
      assert.equal(ended.code, code, `${words.join(' ')}\n${ended.stdout}${ended.stderr}`);
      assert.match(ended.stdout, said);
    }
  });

  test('names the build and the subjects, and takes no certificate without an end', async (t) => {
    const subject = [{ name: 'oci://registry.example/petstore', digest: { sha256: 'd'.repeat(64) } }];
    const records = certifiedRecords({ header: { label: '2.4.0', subject } });
    const named = await verify(['certificate.json'], { cwd: certified(t, { records }) });
    assert.equal(named.code, 0, named.stdout + named.stderr);
    assert.match(named.stdout, /^build +2\.4\.0$/m);
    assert.match(oneLine(named.stdout), /said to be oci:\/\/registry\.example\/petstore@sha256:d{64}/);
    // Kits that wrote version 2 had another ledger; with that of this kit, somebody wants to be rid of the last day.
    const endless = { schemaVersion: 2, validUntil: undefined, label: undefined, subject: undefined };
    const older = await verify(['certificate.json'], {
      cwd: certified(t, { records, certificate: endless }),
    });
    assert.equal(older.code, 1, older.stdout + older.stderr);
    assert.match(older.stdout, /^schemaVersion$/m);
    assert.match(older.stdout, /^validUntil$/m);
    const forged = await verify(['certificate.json'], {
      cwd: certified(t, {
        records,
        certificate: { subject: [{ ...subject[0], digest: { sha256: 'f'.repeat(64) } }] },
      }),
    });
    assert.equal(forged.code, 1);
    assert.match(forged.stdout, /^subject\.oci:\S+\.digest\.sha256$/m);
  });

  test('of another ledger names the required rows that it had not, and still checks its log', async (t) => {
    const { passed } = certificateIn(certifiedLog(), sha256('x'));
    const certificate = { ledger: 'b'.repeat(64), passed: passed.slice(1) };
    const { code, stderr } = await verify(['certificate.json'], { cwd: certified(t, { certificate }) });
    assert.equal(code, 2);
    assert.match(oneLine(stderr), new RegExp(`has 1 required behaviour that it has not: ${passed[0]}\\.`));
    const log = `${ndjson(certifiedRecords())}\n`;
    const other = await verify(['certificate.json'], { cwd: certified(t, { certificate, log }) });
    assert.equal(other.code, 1, other.stderr);
    assert.match(other.stdout, /^log\.sha256: the log is not the certified one/m);
  });

  const refuted: readonly (readonly [string, Parameters<typeof certified>[1], RegExp])[] = [
    ['a certificate with forged coverage', { certificate: { notCovered: [] } }, /^notCovered$/m],
    [
      'a Statement with forged tests',
      { attestation: (made) => ({ ...made, predicate: { ...made.predicate, passedTests: ['everything'] } }) },
      /^predicate\.passedTests$/m,
    ],
    [
      'a modified log',
      { log: `${ndjson(certifiedRecords())}\n` },
      /^log\.sha256: the log is not the certified one/m,
    ],
    ['a truncated log', { records: certifiedRecords({ footer: false }) }, /The run was cut short\./],
    [
      'a log with a failed requirement',
      { records: certifiedRecords({ findings: [violated('list-ok')] }), forged: true },
      /list-ok failed\./,
    ],
    ['an invalid log', { log: 'hello\nworld\n' }, /^log$/m],
    ['an empty log', { log: '' }, /^log$/m],
  ];
  for (const [name, change, says] of refuted)
    test(`exits with 1 for ${name}`, async (t) => {
      const { code, stdout, stderr } = await verify(['certificate.json'], { cwd: certified(t, change) });
      assert.equal(code, 1, stdout + stderr);
      assert.match(stdout, /^does not hold/);
      assert.match(stdout, says);
    });

  test('a log that git changed, and that was changed besides, is refuted', async (t) => {
    const text = ndjson(certifiedRecords()).replaceAll('\n', '\r\n');
    const ended = await verify(['certificate.json'], {
      cwd: certified(t, { log: text.replace('"x1"', '"x2"') }),
    });
    assert.equal(ended.code, 1, ended.stderr);
  });

  const unanswered: readonly (readonly [
    string,
    Parameters<typeof certified>[1],
    readonly string[],
    string,
  ])[] = [
    ['a missing log', {}, ['certificate.json', '--log', 'nowhere.ndjson'], 'no-log'],
    [
      'a log with the line ends of Windows',
      { log: ndjson(certifiedRecords()).replaceAll('\n', '\r\n') },
      ['certificate.json'],
      'line-ends',
    ],
    ['a log that is a pointer of Git LFS', { log: POINTER }, ['certificate.json'], 'lfs-pointer'],
    ['a certificate that is a pointer of Git LFS', {}, ['pointer.json'], 'lfs-pointer'],
    [
      'a log of another version',
      { log: '{"type":"header","schemaVersion":99}\n' },
      ['certificate.json'],
      'log-version',
    ],
    [
      'a certificate of another ledger',
      { certificate: { ledger: 'b'.repeat(64) } },
      ['certificate.json'],
      'other-kit',
    ],
    [
      'a certificate of another version',
      { certificate: { schemaVersion: 1 } },
      ['certificate.json'],
      'certificate-version',
    ],
    [
      'a Statement of another kit',
      { attestation: (made) => ({ ...made, predicate: { ...made.predicate, configuration: [] } }) },
      ['certificate.json'],
      'other-kit',
    ],
    [
      'a signed Statement',
      { attestation: () => ({ payloadType: 'x', payload: '' }) },
      ['certificate.intoto.json'],
      'signed-attestation',
    ],
    ['a log instead of a certificate', {}, ['log.ndjson'], 'yaml-syntax'],
  ];
  for (const [name, change, words, code] of unanswered)
    test(`exits with 2 for ${name} and states what to do`, async (t) => {
      const ended = await verify(words, { cwd: certified(t, change) });
      assert.equal(ended.code, 2, ended.stdout + ended.stderr);
      assert.match(ended.stderr, /^what to do +\S/m);
      assert.match(ended.stderr, new RegExp(`^code +${code}$`, 'm'));
      assert.equal(ended.stdout, '');
    });

  test('shows a hostile statement as plain text', async (t) => {
    const cwd = certified(t, { certificate: { statement: '\u001b[2J all is well' } });
    const { code, stdout } = await verify(['certificate.json'], { cwd });
    assert.equal(code, 1);
    assert.ok(!stdout.includes('\u001b'));
  });
});

test('a dry run with --certify names missing keys', async (t) => {
  const cwd = folder(t);
  const dry = (...keys: readonly string[]) => {
    const words = [
      'run',
      '--base-url',
      'http://127.0.0.1:9/v1',
      '--certify',
      '--dry-run',
      '--requirement',
      'list-ok',
    ];
    return petstoreHere(
      [...words, ...keys.flatMap((plan) => ['--key', `${plan}=\${${plan.toUpperCase()}}`])],
      {
        cwd,
        env: { FREE: 'k3y', PRO: 'y3k' },
      },
    );
  };
  assert.match(
    (await dry('free')).stdout,
    /rate-per-key needs the keys of two plans, but only the free key is given/,
  );
  const two = await dry('free', 'pro');
  assert.doesNotMatch(two.stdout, /needs the keys/);
  assert.match(two.stdout, /Only a selection is judged/);
});
