import { exampleResults } from '../../report/example-run.test.support.js';
import { resultsJson } from '../../report/machine/results-json.js';
import { testsBadInput, type BadInput } from './support/bad-input.js';

/** Files and folders that cannot be read or written, or hold something else. */

const SOME_RESULTS = resultsJson(exampleResults());

const CASES: readonly BadInput[] = [
  {
    title: 'an unreadable baseline',
    words: ['run', '--baseline', 'none.yaml'],
    says: /none\.yaml: The file cannot be read/,
    helps: /baseline/,
  },
  {
    title: 'a report folder below a file',
    words: ['run', '--report-dir', 'file/run'],
    files: { file: '' },
    says: /The report folder file\/run cannot be created/,
    helps: /--report-dir/,
  },
  {
    title: 'a report folder in a read-only place',
    words: ['run', '--report-dir', '/proc/none/run'],
    says: /cannot be created/,
    helps: /--report-dir/,
  },
  {
    title: 'a report folder with another run',
    words: ['run', '--report-dir', 'old'],
    files: { 'old/log.ndjson': '' },
    says: /holds the log of another run/,
    helps: /new folder/,
  },
  {
    title: 'a missing log',
    words: ['report', 'nowhere'],
    says: /^usage +nowhere cannot be read \(the file does not exist\)/,
    helps: /run’s folder or file/,
  },
  {
    title: 'an invalid log',
    words: ['report', 'log.ndjson'],
    files: { 'log.ndjson': 'hello\nworld\n' },
    says: /^usage +log\.ndjson: /,
    helps: /run’s folder or file/,
  },
  { title: 'report without a path', words: ['report'], says: /report lacks <path>/, helps: /report --help/ },
  {
    title: 'compare with missing runs',
    words: ['compare', 'a', 'b'],
    says: /no results at a/,
    helps: /results\.json/,
  },
  {
    title: 'invalid results',
    words: ['compare', 'a.json', 'a.json'],
    files: { 'a.json': '{}' },
    says: /^usage +/,
    helps: /run’s folder or file/,
  },
  {
    title: 'compare with a missing output folder',
    words: ['compare', 'a.json', 'a.json', '--out', 'nowhere/changes'],
    files: { 'a.json': SOME_RESULTS },
    says: /nowhere\/changes\.html cannot be written/,
    helps: /folder that you can write to/,
  },
  {
    title: 'baseline create for a missing run',
    words: ['baseline', 'create', 'nowhere'],
    says: /no results at nowhere/,
    helps: /results\.json/,
  },
  {
    title: 'an unknown subcommand of baseline',
    words: ['baseline', 'craete', 'a.json'],
    says: /There is no command "baseline craete"/,
    helps: /Did you mean baseline create\?/,
  },
  {
    title: 'baseline create with an invalid date',
    words: ['baseline', 'create', 'a.json', '--expires', '2031-02-30'],
    files: { 'a.json': SOME_RESULTS },
    says: /--expires takes a day from today on, not "2031-02-30"/,
    helps: /Nothing was written/,
  },
  {
    title: 'history of a missing folder',
    words: ['history', 'nowhere'],
    says: /nowhere is not a folder/,
    helps: /reports/,
  },
  {
    title: 'history of one run',
    words: ['history', 'reports/one'],
    files: { 'reports/one/log.ndjson': '' },
    says: /reports\/one is the folder of one run/,
    helps: /history reports\. Nothing was written/,
  },
  {
    title: 'a missing certificate',
    words: ['verify', 'none.json'],
    says: /none\.json: The file cannot be read/,
    helps: /certificate\.json/,
  },
  {
    title: 'an invalid certificate',
    words: ['verify', 'a.json'],
    files: { 'a.json': '{}' },
    says: /a\.json/,
    helps: /what to do/,
  },
];

for (const each of CASES) testsBadInput(each);
