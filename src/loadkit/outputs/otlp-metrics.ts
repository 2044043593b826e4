import { endpointOf, plainAddress } from '../../wire/targets/base-url.js';
import { isWholeSecond } from '../figures.js';
import type { FinishedRequest } from '../meter.js';
import { count, counted } from '../../base/kernel/format.js';
import { clip, visible } from '../../base/kernel/visible.js';
import type { SecondRecord } from '../../log/capacity-record.js';
import { badOption } from '../../base/kernel/errors.js';
import { optionalPackage } from '../../base/kernel/package.js';

/** Attributes of all metrics of a run. */
export interface MetricsOrigin {
  readonly version: string;
  readonly run: string;
  readonly part: string | null;
  readonly scenario: string;
  readonly baseUrl: string;
}

/** Interval of a load run's counts; a slower collector loses resolution but no counts. */
const EVERY_MS = 1000;
/**
 * Bounds of the buckets in seconds: those of OpenTelemetry's HTTP conventions, and three smaller ones for
 * servers nearby.
 */
const BUCKETS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** Result code of the SDK for a successful export. */
const SUCCESS = 0;
const METHODS: Readonly<Record<FinishedRequest['operation'], string>> = {
  listPets: 'GET',
  getPet: 'GET',
  createPet: 'POST',
};

/**
 * Sends metrics by OTLP over HTTP during a run. The SDK reads headers for the collector, such as its key,
 * from OTEL_EXPORTER_OTLP_HEADERS, and further attributes from OTEL_SERVICE_NAME and
 * OTEL_RESOURCE_ATTRIBUTES, which come first. An unavailable collector does not affect the run.
 *
 * @throws UsageError not-installed without the SDK
 */
export async function otlpMetrics(address: string, origin: MetricsOrigin) {
  const url = metricsUrl(address);
  const sdk = await installed(() => import('@opentelemetry/sdk-metrics'));
  const { OTLPMetricExporter } = await installed(() => import('@opentelemetry/exporter-metrics-otlp-http'));
  const { resourceFromAttributes, detectResources, envDetector } = await installed(
    () => import('@opentelemetry/resources'),
  );
  const { diag, DiagLogLevel } = await installed(() => import('@opentelemetry/api'));
  const partial = partialSuccesses();
  diag.setLogger(partial.logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const exporter = new OTLPMetricExporter({ url, timeoutMillis: EVERY_MS });
  let [exports, failed, why] = [0, 0, ''];
  const send = exporter.export.bind(exporter);
  exporter.export = (metrics, done) =>
    send(metrics, (result) => {
      exports += 1;
      const code: number = result.code;
      if (code !== SUCCESS) [failed, why] = [failed + 1, result.error?.message ?? 'no reason given'];
      done(result);
    });
  const provider = new sdk.MeterProvider({
    resource: resourceFromAttributes({
      'service.name': 'petstore-conformance',
      'service.version': origin.version,
      'service.instance.id': origin.part === null ? origin.run : `${origin.run} ${origin.part}`,
      'petstore.run': origin.run,
      'petstore.scenario': origin.scenario,
    }).merge(detectResources({ detectors: [envDetector] })),
    readers: [
      new sdk.PeriodicExportingMetricReader({
        exporter,
        exportIntervalMillis: EVERY_MS,
        exportTimeoutMillis: EVERY_MS,
      }),
    ],
  });
  const meter = provider.getMeter('petstore-conformance', origin.version);
  const seconds = { unit: 's', advice: { explicitBucketBoundaries: BUCKETS } };
  const duration = meter.createHistogram('http.client.request.duration', seconds);
  const latency = meter.createHistogram('petstore.load.latency', {
    ...seconds,
    description: 'From the intended time of sending to the last byte of the response.',
  });
  const counters = (['sent', 'dropped', 'errors', 'violations'] as const).map(
    (name) => [name, meter.createCounter(`petstore.load.${name}`)] as const,
  );
  const gauges = (['underWay', 'busy', 'cpu'] as const).map(
    (name) => [name, meter.createGauge(GAUGES[name])] as const,
  );
  const target = new URL(origin.baseUrl);
  const server = { 'server.address': target.hostname, 'server.port': endpointOf(target).port };
  return {
    finished({ phase, operation, status, intendedAt, sentAt, answeredAt }: FinishedRequest): void {
      const attributes = { 'petstore.phase': phase, 'petstore.operation': operation };
      duration.record((answeredAt - sentAt) / 1000, {
        ...server,
        ...attributes,
        'http.request.method': METHODS[operation],
        ...(status > 0 && { 'http.response.status_code': status }),
        ...((status === 0 || status >= 400) && { 'error.type': status === 0 ? 'no_answer' : String(status) }),
      });
      latency.record((answeredAt - intendedAt) / 1000, attributes);
    },
    second(second: SecondRecord): void {
      const attributes = { 'petstore.phase': second.phase };
      for (const [name, counter] of counters) counter.add(second[name], attributes);
      // A piece of a second at the edge of a phase measures the start of a phase, not the generator's health.
      if (isWholeSecond(second)) for (const [name, gauge] of gauges) gauge.record(second[name]);
    },
    /** Sends the rest; returns a sentence about it. */
    async close(): Promise<string> {
      await provider.shutdown().catch((error: unknown) => {
        [failed, why] = [Math.max(1, failed), error instanceof Error ? error.message : String(error)];
      });
      if (failed === 0) {
        const said = partial.said();
        if (said?.isRejected) return `Metrics at ${url} are incomplete: the collector ${said.words}.`;
        const warning = said ? ` The collector ${said.words}.` : '';
        return `Metrics were sent to ${url} (${count(exports)} exports).${warning}`;
      }
      const reason = clip(visible(why), LONGEST_REASON);
      return (
        `Metrics at ${url} are incomplete: ${count(failed)} of ${count(Math.max(exports, failed))} exports failed ` +
        `(${reason}).`
      );
    },
  };
}

/** Most shown characters of a collector's response. */
const LONGEST_REASON = 120;

const GAUGES = {
  underWay: 'petstore.load.under_way',
  busy: 'petstore.load.generator.busy',
  cpu: 'petstore.load.generator.cpu',
} as const;

/**
 * Returns the address for metrics; a base address gets the specified path. Process lists and logs would show
 * a key in it.
 */
export function metricsUrl(address: string): string {
  const url = plainAddress(address);
  if (!url)
    throw badOption(
      '--otlp takes the http or https address of a collector, without user, password or query.',
      'Write it as --otlp http://localhost:4318, and give its key in OTEL_EXPORTER_OTLP_HEADERS. Nothing was sent.',
    );
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path.endsWith('/v1/metrics') ? path : `${path}/v1/metrics`}`;
}

const installed = <Module>(load: () => Promise<Module>): Promise<Module> =>
  optionalPackage(
    load,
    '--otlp needs the OpenTelemetry SDK, which is not installed.',
    'Run npm install @opentelemetry/sdk-metrics@2 @opentelemetry/resources@2 ' +
      '@opentelemetry/exporter-metrics-otlp-http@0.223. Nothing was sent.',
  );

const ignore = (): void => undefined;

/**
 * Collects what a collector accepted only in part. The SDK reports such an export as a success, and the
 * response only to its diagnostic logger: a text, and the response's `partialSuccess` as JSON.
 */
function partialSuccesses() {
  let [times, rejected, why] = [0, 0, ''];
  const warn = (message: string, ...more: readonly unknown[]): void => {
    if (!/partial success/i.test(message)) return;
    const { rejectedDataPoints = 0, errorMessage = '' } = partialIn(String(more[0]));
    times += 1;
    rejected += Number(rejectedDataPoints) || 0;
    if (errorMessage !== '') why = String(errorMessage);
  };
  return {
    logger: { error: ignore, warn, info: ignore, debug: ignore, verbose: ignore },
    /** Says what the collector rejected, or only warned of; null if it accepted everything. */
    said(): { readonly isRejected: boolean; readonly words: string } | null {
      if (times === 0) return null;
      const isRejected = rejected > 0;
      const reason = clip(visible(why === '' ? 'no reason given' : why), LONGEST_REASON);
      const what = isRejected ? `rejected ${counted(rejected, 'data point')}` : 'warned';
      return { isRejected, words: `${what} in ${counted(times, 'export')} (${reason})` };
    },
  };
}

function partialIn(json: string): { readonly rejectedDataPoints?: unknown; readonly errorMessage?: unknown } {
  try {
    return JSON.parse(json) as ReturnType<typeof partialIn>;
  } catch {
    return {};
  }
}
