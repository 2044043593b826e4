import { exchangeRecord, footerRecord, headerRecord } from './records.test.support.js';
import type { LogRecord } from './record.js';

export const CANARY = '4815162342108';
const said = `the key ${CANARY} is unknown`;

/** A record of each type, with the key wherever the target's words can appear. */
export const RECORDS_WITH_KEY: Readonly<Record<LogRecord['type'], readonly LogRecord[]>> = {
  header: [
    {
      ...headerRecord,
      target: { ...headerRecord.target, name: said, baseUrl: `http://127.0.0.1/${CANARY}/v1` },
      scope: { ...headerRecord.scope, selection: { scenario: said } },
      label: said,
      acceptance: {
        certificate: false,
        baseline: true,
        accepted: [
          { requirement: 'list-ok', outcome: 'failed', reason: said, link: said, expires: '2026-12-31' },
        ],
      },
      command: said,
    },
  ],
  phase: [{ type: 'phase', phase: 'suites', at: 1 }],
  preflight: [
    {
      type: 'preflight',
      facts: {
        reachableMs: 1,
        keyAccepted: true,
        plan: 'free',
        limitSeen: CANARY,
        clockSkewMs: null,
        animals: 1,
        animalsComplete: true,
        plannedRequests: 1,
        plannedSeconds: 1,
        remarks: [said, said],
      },
    },
  ],
  explored: [{ type: 'explored', seed: 1, asked: 1, requests: { anonymous: 0 }, performed: 0, classes: [] }],
  exchange: [
    exchangeRecord('x1', {
      answer: {
        kind: 'response',
        status: 200,
        headers: [[`X-${CANARY}`, said]],
        text: JSON.stringify({ said }),
      },
    }),
    exchangeRecord('x2', { answer: { kind: 'none', code: 'malformed-http', message: said } }),
    exchangeRecord('x3', {
      probe: `GET /pets/${CANARY}`,
      request: { method: 'POST', path: `/v1/pets/${CANARY}`, headers: [], body: `{"categoryId":${CANARY}}` },
    }),
  ],
  finding: [
    { type: 'finding', finding: { kind: 'kept', requirement: 'list-ok', message: said, exchanges: ['x1'] } },
    {
      type: 'finding',
      finding: {
        kind: 'violated',
        requirement: 'list-ok',
        message: said,
        expected: said,
        actual: said,
        exchanges: [],
      },
    },
    {
      type: 'finding',
      finding: {
        kind: 'violated',
        requirement: 'list-ok',
        message: said,
        exchanges: [],
        story: { replay: '1:2', steps: [said, said], exchanges: [], seen: 2, of: 2 },
      },
    },
    {
      type: 'finding',
      finding: { kind: 'observed', requirement: 'list-order', subject: said, value: said, exchanges: [] },
    },
    {
      type: 'finding',
      finding: {
        kind: 'inconclusive',
        requirement: 'list-ok',
        reason: { code: 'transport', text: said },
        exchanges: [],
      },
    },
    {
      type: 'finding',
      finding: { kind: 'not-applicable', requirement: 'list-ok', reason: { code: 'no-key', text: said } },
    },
    { type: 'finding', finding: { kind: 'untried', requirement: 'list-ok', what: said } },
    { type: 'finding', finding: { kind: 'fault', requirement: 'list-ok', message: said } },
  ],
  settled: [{ type: 'settled', requirement: 'list-ok' }],
  'own-problem': [{ type: 'own-problem', problem: { message: said, file: '/suites/a.spec.ts', line: 3 } }],
  created: [{ type: 'created', id: CANARY, name: said }],
  waiting: [{ type: 'waiting', what: 'the target’s limit was already used up', until: 1 }],
  remark: [{ type: 'remark', text: said }],
  progress: [{ type: 'progress', profile: 'burst', plan: 'free', text: said }],
  series: [
    {
      type: 'series',
      profile: 'burst',
      plan: 'free',
      rows: [['listPets', 1, 2, 3, 429, said, said, said, said, null]],
    },
    {
      type: 'series',
      profile: 'burst',
      plan: 'free',
      rows: [['listPets', 1, 2, 3, 429, Number(CANARY), Number(CANARY), Number(CANARY), null, null]],
    },
  ],
  tally: [{ type: 'tally', requirement: 'json-media-type', kept: 3, profile: 'burst' }],
  profile: [
    {
      type: 'profile',
      summary: {
        profile: 'burst',
        plan: 'free',
        startedAt: 1,
        finishedAt: 2,
        sent: 61,
        served: 60,
        refused: 1,
        allowance: 60,
        latency: null,
        sentence: said,
        marks: [{ kind: 'reset', at: 1, text: said }],
      },
    },
  ],
  find: [
    {
      type: 'find',
      conditions: ['p99 < 250ms'],
      most: 100,
      mostIs: 'option',
      samples: 500,
      steps: [
        {
          phase: said,
          role: 'climb',
          perSecond: 10,
          seconds: 50,
          sent: 500,
          throughput: 10,
          p50: 1,
          p99: 2,
          errors: 0,
          outcome: 'misses',
          reasons: [said],
        },
      ],
      answer: { kind: 'none', perSecond: 10 },
    },
  ],
  agents: [
    {
      type: 'agents',
      agents: [
        {
          name: said,
          part: 1,
          offsetMs: 0,
          errorMs: 1,
          sent: 1,
          dropped: 0,
          lateMs: 0,
          loopLagMs: 1,
          cpu: 0.1,
          saturated: false,
          problem: said,
        },
      ],
      problems: [said],
    },
  ],
  scenario: [
    {
      type: 'scenario',
      scenario: {
        name: said,
        phases: [],
        operations: [],
        keys: [],
        overLimit: 'refuse',
        thresholds: [],
        abort: null,
      },
      slice: { index: 0, count: 1 },
      keys: ['free'],
      leftOut: [],
      startAt: 1,
    },
  ],
  second: [],
  'capacity-phase': [
    {
      type: 'capacity-phase',
      phase: said,
      startedAt: 1,
      finishedAt: 2,
      intended: 1,
      droppedLate: 0,
      droppedFull: 0,
      operations: [],
      byKey: { free: 1 },
      violations: [
        { requirement: 'list-ok', operation: 'listPets', message: said, exchange: 'c1', count: 1 },
      ],
      saturated: null,
      lagMs: 0,
      cpu: 0,
      whole: true,
      remarks: [said],
    },
  ],
  traffic: [{ type: 'traffic', nth: 1, facts: { source: 'proxy', basePath: `/${CANARY}/v1`, graceMs: 250 } }],
  'client-exchange': [
    {
      type: 'client-exchange',
      nth: 1,
      exchange: {
        id: 't1',
        origin: `http://${CANARY}.test`,
        credential: { key: { kind: 'masked', mask: said }, bearer: true, elsewhere: [said] },
        request: {
          method: CANARY,
          target: `/v1/pets?${CANARY}`,
          headers: [[CANARY, said]],
          body: { kind: 'whole', text: said },
        },
        times: { kind: 'server', readAt: 1, writtenAt: 2 },
        answer: {
          kind: 'response',
          status: 200,
          headers: [[CANARY, said]],
          body: { kind: 'cut', text: said, why: 'ended' },
        },
      },
    },
    {
      type: 'client-exchange',
      nth: 1,
      exchange: {
        id: 't2',
        credential: { key: { kind: 'none' }, bearer: false, elsewhere: [] },
        request: { method: 'GET', target: '/v1/pets', headers: [], body: { kind: 'empty' } },
        times: { kind: 'unknown' },
        answer: { kind: 'none', why: said },
      },
    },
  ],
  'traffic-end': [
    {
      type: 'traffic-end',
      nth: 1,
      end: { endedAt: 3, finished: true, graceMs: 250 },
      command: { exitCode: 1, output: said },
    },
  ],
  'left-out': [{ type: 'left-out', nth: 1, entries: 2, reasons: { preflight: 1 } }],
  footer: [
    {
      ...footerRecord,
      complete: false,
      reason: said,
      fault: said,
      obstacle: { code: 'gate', short: 'a gate', message: said, hint: 'ask' },
    },
  ],
};
