import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * The tests look at the page in a real browser, which npm does not bring: Debian's Chromium. Where it is missing and can be
 * installed without asking anybody, it is; else it is said how to get it, and the tests do not start.
 */

/** Where Debian's package puts it; the page's tests start this one. */
const CHROMIUM = '/usr/bin/chromium';

const APT = '/usr/bin/apt-get';

const isRoot = process.getuid?.() === 0;

function install(): boolean {
  for (const words of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const { status } = spawnSync(APT, words, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (status !== 0) return false;
  }
  return existsSync(CHROMIUM);
}

function ensureBrowser(): boolean {
  if (existsSync(CHROMIUM)) return true;
  if (isRoot && existsSync(APT)) {
    process.stdout.write(
      `${CHROMIUM} is missing, and the page is tested in it: installing Debian's package chromium\n`,
    );
    if (install()) return true;
  }
  process.stderr.write(
    [
      `missing         ${CHROMIUM}: the tests look at the page in a real browser`,
      'what to do      Debian:  sudo apt-get update && sudo apt-get install -y --no-install-recommends chromium',
      `                Others:  install Chromium and link it to ${CHROMIUM}`,
      '',
    ].join('\n'),
  );
  return false;
}

process.exitCode = ensureBrowser() ? 0 : 1;
