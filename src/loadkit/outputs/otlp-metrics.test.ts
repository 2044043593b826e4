import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { FinishedRequest } from '../meter.js';
import { otlpMetrics } from './otlp-metrics.js';

interface Exported {
  readonly resourceMetrics: readonly {
    readonly resource: {
      readonly attributes: readonly {
        readonly key: string;
        readonly value: { readonly stringValue?: string };
      }[];
    };
  }[];
}

test('OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES name and describe the service', async (t) => {
  const bodies: string[] = [];
  const collector = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (piece: string) => bodies.push(piece));
    request.on('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => void collector.listen(0, '127.0.0.1', resolve));
  t.after(() => collector.close());
  const given = {
    OTEL_SERVICE_NAME: 'pet-load',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=staging,team=pets',
  };
  const before = { ...process.env };
  Object.assign(process.env, given);
  const origin = {
    version: '1.0.0',
    run: '00112233',
    part: null,
    scenario: 'short',
    baseUrl: 'http://127.0.0.1/v1',
  };
  const metrics = await otlpMetrics(`http://127.0.0.1:${(collector.address() as AddressInfo).port}`, origin);
  for (const name of Object.keys(given)) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  const times = { intendedAt: 1000, sentAt: 1001, answeredAt: 1006 };
  metrics.finished({ phase: 'hold', operation: 'listPets', status: 200, ...times } as FinishedRequest);
  assert.match(await metrics.close(), /Metrics were sent/);
  const [first] = (JSON.parse(bodies.join('')) as Exported).resourceMetrics;
  const attributes = new Map(first?.resource.attributes.map(({ key, value }) => [key, value.stringValue]));
  assert.equal(attributes.get('service.name'), 'pet-load');
  assert.equal(attributes.get('deployment.environment'), 'staging');
  assert.equal(attributes.get('team'), 'pets');
  assert.equal(attributes.get('petstore.run'), '00112233');
});

test('what a collector accepts only in part is told', async (t) => {
  const partials = [{ rejectedDataPoints: '3', errorMessage: 'too old' }, { errorMessage: 'deprecated' }];
  for (const [place, partialSuccess] of partials.entries()) {
    const collector = createServer((request, response) => {
      response.setHeader('Content-Type', 'application/json');
      request.resume().on('end', () => response.end(JSON.stringify({ partialSuccess })));
    });
    await new Promise<void>((resolve) => void collector.listen(0, '127.0.0.1', resolve));
    t.after(() => collector.close());
    const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    const baseUrl = 'http://127.0.0.1/v1';
    const origin = { version: '1.0.0', run: '00112233', part: null, scenario: 'short', baseUrl };
    const metrics = await otlpMetrics(url, origin);
    const times = { intendedAt: 1000, sentAt: 1001, answeredAt: 1006 };
    metrics.finished({ phase: 'hold', operation: 'listPets', status: 200, ...times } as FinishedRequest);
    assert.match(
      await metrics.close(),
      place === 0
        ? /are incomplete: the collector rejected 3 data points in 1 export \(too old\)\.$/
        : /were sent to .* The collector warned in 1 export \(deprecated\)\.$/,
    );
  }
});
