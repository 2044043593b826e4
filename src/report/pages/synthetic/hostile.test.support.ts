import type { RequirementId } from '../../../base/interface/types.js';
import type { Finding } from '../../../judge/findings/finding.js';
import type { Exchange } from '../../../wire/exchange/types.js';
import type { LogRecord } from '../../../log/record.js';
import type { PageInput } from '../input.js';
import { exampleResults } from '../../example-run.test.support.js';
import { START } from '../../example-header.test.support.js';
import { exchangeOf, inputOf } from './run.test.support.js';

/** Attacks by a target on its report page. Each would leave a trace in `window.pwned`. */
export const ATTACKS: readonly string[] = [
  '</script><script>window.pwned=1</script>',
  '<img src=x onerror="window.pwned=2">',
  '"><svg onload=window.pwned=3>',
  "' onmouseover='window.pwned=4' x='",
  'javascript:window.pwned=5',
  '</style><style>*{display:none}</style>',
  '</title><base href="http://evil.example/">',
  '<iframe srcdoc="<script>parent.pwned=6</script>"></iframe>',
  '<meta http-equiv=refresh content="0;url=http://evil.example/">',
  '--><!--<script>window.pwned=7</script>',
  ']]><script>window.pwned=8</script>',
  '&lt;script&gt;window.pwned=9&lt;/script&gt;',
  '${window.pwned=10}{{constructor.constructor("window.pwned=11")()}}',
  'safe\u202Etxt.exe \u2066x\u2069 \0\u0007\u001B[31m \uD83D \u2028',
  'W'.repeat(20_000),
  'ل'.repeat(400),
  'Z' + '\u0336\u0315\u031b\u0340'.repeat(300),
];

/** Returns a page on which every text from a target, a file or a colleague is an attack. */
export function hostileInput(): PageInput {
  const all = ATTACKS.join(' ');
  const judged: readonly RequirementId[] = [
    'list-ok',
    'list-limit-default',
    'error-shape',
    'auth-missing-key',
    'rate-429',
  ];
  const findings: Finding[] = [
    ...judged.flatMap((requirement): Finding[] => [
      {
        kind: 'violated',
        requirement,
        message: all,
        expected: all,
        actual: `${all} and more`,
        exchanges: ['x1', 'x2'],
      },
      { kind: 'observed', requirement, subject: all, value: all, exchanges: ['x2'] },
    ]),
    { kind: 'kept', requirement: 'pet-shape', message: all, exchanges: ['x3'] },
    { kind: 'fault', requirement: 'pets-array', message: all },
    {
      kind: 'inconclusive',
      requirement: 'get-ok',
      reason: { code: 'transport', text: all },
      exchanges: ['x3'],
    },
    { kind: 'not-applicable', requirement: 'get-after-removal', reason: { code: 'removal-date', text: all } },
    { kind: 'observed', requirement: 'list-order', value: all, exchanges: ['x1'] },
  ];
  const load: LogRecord[] = [
    {
      type: 'series',
      profile: 'burst',
      plan: 'free',
      rows: [
        [
          'listPets',
          START,
          START,
          START + 5,
          200,
          ATTACKS[0] ?? '',
          ATTACKS[1] ?? '',
          ATTACKS[2] ?? '',
          all,
          null,
        ],
      ],
    },
    {
      type: 'profile',
      summary: {
        profile: 'burst',
        plan: 'free',
        startedAt: START,
        finishedAt: START + 5,
        sent: 1,
        served: 1,
        refused: 0,
        allowance: 60,
        latency: null,
        sentence: all,
        marks: [{ kind: 'first-refusal', at: START + 1, text: all }],
      },
    },
    { type: 'created', id: all, name: all },
  ];
  return {
    ...inputOf({
      findings,
      load,
      exchanges: [hostileExchange(1, all), hostileExchange(2, all), unanswered(3, all)],
      header: { command: all },
      target: { name: all, baseUrl: `javascript:${all}` },
      preflight: { limitSeen: all, remarks: [all] },
      footer: {
        type: 'footer',
        complete: false,
        reason: all,
        finishedAt: new Date(START + 10).toISOString(),
      },
      comparison: {
        against: {
          ...exampleResults(),
          target: { ...exampleResults().target, name: all },
          startedAt: all,
          label: all,
        },
        changes: [{ id: 'list-ok', kind: 'newly-failing', before: all, after: all }],
        remarks: [all],
      },
      proof: null,
    }),
    curlOf: () => all,
  };
}

function hostileExchange(number: number, text: string): Exchange {
  const exchange = exchangeOf(number);
  return {
    ...exchange,
    probe: text,
    request: { method: text, path: text, headers: [[text, text]], body: text },
    answer: {
      kind: 'response',
      status: 200,
      headers: [...ATTACKS.map((attack) => [attack, attack] as const), ['Content-Type', 'text/html']],
      text,
    },
  };
}

const unanswered = (number: number, text: string): Exchange => ({
  ...exchangeOf(number),
  answer: { kind: 'none', code: 'malformed-http', message: text },
});
