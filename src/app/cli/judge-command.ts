import { basename } from 'node:path';
import { badOption, UsageError } from '../../base/kernel/errors.js';
import { counted, listed, listedUpTo } from '../../base/kernel/format.js';
import type { Side } from '../../log/header-record.js';
import { judgeTraffic } from '../../run/judge-traffic.js';
import { makeReportDir } from '../../run/report-dir.js';
import { addressesIn, addressMeant, type HarAddress } from '../../wire/har/addresses.js';
import { parseBaseUrl } from '../../wire/targets/base-url.js';
import { commandLine } from './command-line.js';
import type { Arguments } from './command-options.js';
import { finishJudged } from './finish-judged.js';
import type { Io } from './io.js';

export async function command(args: Arguments<'judge'>, io: Io): Promise<number> {
  const { files } = args;
  const [first, ...others] = files;
  if (first === undefined)
    throw badOption('Name a HAR file.', 'Write petstore-conformance judge traffic.har.');
  const baseUrl =
    args.baseUrl === undefined
      ? await findAddress(files)
      : parseBaseUrl(args.baseUrl, { file: '--base-url' });
  const sides = SIDES[args.side];
  const directory = makeReportDir(args.reportDir, stemOf(first), new Date());
  const log = await judgeTraffic({
    files,
    baseUrl,
    sides,
    name:
      others.length === 0
        ? `the traffic in ${basename(first)}`
        : `the traffic in ${counted(files.length, 'file')}`,
    directory,
    command: commandLine('judge', { ...args, baseUrl }),
  });
  return finishJudged(directory, log, args, io, ({ traffic, complete }) => [
    ...(traffic?.inScope === 0
      ? [`${listed(files)} holds no request for ${baseUrl} that can be judged.`]
      : []),
    ...(!complete && log.footer?.reason ? [`${log.footer.reason}. The part before that was judged.`] : []),
  ]);
}

const SIDES: Readonly<Record<Arguments<'judge'>['side'], readonly Side[]>> = {
  service: ['service'],
  client: ['client'],
  both: ['service', 'client'],
};

const MOST_LISTED = 8;

/**
 * Returns the address that the files are about. Throws UsageError with those that they hold if it is not
 * clear.
 */
async function findAddress(files: readonly string[]): Promise<string> {
  const addresses = await addressesIn(files);
  const meant = addressMeant(addresses);
  if (meant !== null) return meant;
  if (addresses.length === 0)
    throw new UsageError(
      'no-address',
      `${listed(files)} holds no request to an address that ends with /v1.`,
      'Name the base address of the service with --base-url.',
    );
  const named = listedUpTo(addresses.map(described), MOST_LISTED);
  throw new UsageError(
    'no-address',
    `${listed(files)} does not show which address is the service: ${named}.`,
    'Name one of them with --base-url.',
  );
}

const described = ({ baseUrl, requests, hasKey }: HarAddress): string =>
  `${baseUrl} (${counted(requests, 'request')}${hasKey ? '' : ', none with a key'})`;

const stemOf = (file: string): string => basename(file).replace(/(\.har|\.json)?(\.gz)?$/i, '');
