import { scaleLog } from 'd3-scale';
import type { LatencySummary, ProfileSummary } from '../../../log/record.js';
import { capital, count, milliseconds } from '../../../format/format.js';
import { PLAN_ORDER } from '../model/window.js';
import { percent } from '../markup/plot.js';
import { Table } from '../markup/table.js';

/** Start of the logarithmic scale, ms: smaller differences do not matter. */
const LEAST = 0.1;
/** Fewest responses for meaningful percentiles. */
const FEWEST = 10;

type Measured = ProfileSummary & { readonly latency: LatencySummary };

/** Percentiles of every profile, right-aligned, and as ranges on one logarithmic scale. */
export function Latency({ profiles }: { readonly profiles: readonly ProfileSummary[] }) {
  const measured = profiles
    .filter((summary): summary is Measured => summary.latency !== null && summary.latency.count >= FEWEST)
    .toSorted((one, other) => PLAN_ORDER.indexOf(one.plan) - PLAN_ORDER.indexOf(other.plan));
  if (measured.length === 0) return null;
  const lowest = Math.max(LEAST, Math.min(...measured.map(({ latency }) => latency.min)));
  const highest = Math.max(lowest * 10, ...measured.map(({ latency }) => latency.max));
  const scale = scaleLog([lowest, highest], [0.01, 0.99]).clamp(true);
  return (
    <div class="figure">
      <h3>Latency</h3>
      <p class="lead">
        In milliseconds, from the planned sending of a request to the last byte of its response. The interface sets no
        limit; compare the figures with another run’s. Profiles with fewer than {FEWEST} responses are left out.
      </p>
      <Table
        label="Latency by plan and profile"
        class="dense latency"
        columns={[
          'Plan',
          ['Profile', 'left'],
          'Responses',
          'p50',
          'p90',
          'p99',
          'Max',
          ['Minimum to maximum, with p50 and p99', 'left range'],
        ]}
        rows={measured.map(({ plan, profile, latency }) => [
          capital(plan),
          profile,
          count(latency.count),
          ...[latency.p50, latency.p90, latency.p99, latency.max].map(milliseconds),
          <Range {...latency} at={scale} />,
        ])}
      />
    </div>
  );
}

function Range({ min, p50, p90, p99, max, at }: LatencySummary & { readonly at: (ms: number) => number }) {
  const x = (ms: number): string => percent(at(Math.max(LEAST, ms)));
  return (
    <svg aria-hidden="true" width="100%" height="14">
      <line class="thin" x1={x(min)} x2={x(max)} y1="7" y2="7" />
      <line class="thick" x1={x(p50)} x2={x(p90)} y1="7" y2="7" />
      <circle cx={x(p50)} cy="7" r="3.5" />
      <line class="tick" x1={x(p99)} x2={x(p99)} y1="3" y2="11" />
    </svg>
  );
}
