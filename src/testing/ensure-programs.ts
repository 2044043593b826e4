import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Checks for the programs that the tests need and npm does not install. Installs a missing one if that needs
 * no prompt. Otherwise prints how to install it, and the tests do not start.
 */

/** Program, by its path in Debian's package. */
interface Program {
  readonly file: string;
  readonly package: string;
  readonly why: string;
}

const PROGRAMS: readonly Program[] = [
  { file: '/usr/bin/chromium', package: 'chromium', why: 'the tests look at the page in a real browser' },
  {
    file: '/usr/bin/redis-server',
    package: 'redis-server',
    why: 'the tests send load from several agents by way of a Redis',
  },
];

const APT = '/usr/bin/apt-get';

const isRoot = process.getuid?.() === 0;

function install(names: readonly string[]): void {
  for (const words of [['update'], ['install', '-y', '--no-install-recommends', ...names]]) {
    const { status } = spawnSync(APT, words, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (status !== 0) return;
  }
}

const missing = (): readonly Program[] => PROGRAMS.filter(({ file }) => !existsSync(file));

function ensurePrograms(): boolean {
  const names = missing().map((program) => program.package);
  if (names.length > 0 && isRoot && existsSync(APT)) {
    process.stdout.write(
      `Programs that the tests use are missing: installing Debian's ${names.join(' and ')}\n`,
    );
    install(names);
  }
  for (const { file, package: name, why } of missing())
    process.stderr.write(
      [
        `missing         ${file}: ${why}`,
        `what to do      Debian:  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${name}`,
        `                Others:  install it and link it to ${file}`,
        '',
      ].join('\n'),
    );
  return missing().length === 0;
}

process.exitCode = ensurePrograms() ? 0 : 1;
