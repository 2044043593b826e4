import { Ajv2020 } from 'ajv/dist/2020.js';
import { planNames } from '../../contract/plan-names.js';
import { once } from '../../contract/config-file.js';
import type { PlanFigures } from '../../contract/plans.js';
import type { PlanName } from '../../contract/types.js';
import type { Target } from '../../targets/target.js';
import type { Slice } from '../../scenario/slice.js';

/** The version of what coordinator and agents say to each other. */
export const INTERFACE_VERSION = 2;

/** One slice as a pure value: all that an agent needs to send it, but for the start instant, which all get together. */
export interface Order {
  /** The scenario's file, as it was read: the agent checks it again. */
  readonly scenario: string;
  readonly slice: Slice;
  readonly readOnly: boolean;
  readonly target: {
    readonly name: string;
    readonly baseUrl: string;
    readonly suiteKey: PlanName;
    readonly enterprise: PlanFigures | null;
    readonly windows: Target['windows'];
    readonly production: boolean;
    readonly writes: boolean;
    readonly exclusive: boolean;
    readonly http: Target['http'];
  };
  /** Those of this slice alone. */
  readonly keys: readonly OrderKey[];
}

/** A key: the variable of the agent's environment that holds it and what tells that it is the same; or, in a sealed order, itself. */
export interface OrderKey {
  readonly plan: PlanName;
  readonly variable: string | null;
  readonly digest: string | null;
  readonly secret: string | null;
}

/** A job as it lies in Redis. */
export interface SliceJob {
  readonly interface: number;
  readonly kit: string;
  readonly run: string;
  readonly index: number;
  readonly count: number;
  /** The order as JSON, or sealed with the secret that all share. */
  readonly order: string;
  readonly sealed: boolean;
}

const text = { type: 'string', maxLength: 4000 } as const;
const whole = { type: 'integer', minimum: 0, maximum: 1_000_000_000 } as const;
const positive = { type: 'number', exclusiveMinimum: 0 } as const;
const closed = (properties: Readonly<Record<string, object>>, optional: readonly string[] = []): object => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});
const plan = { enum: planNames } as const;
const perhaps = { type: ['string', 'null'], maxLength: 4000 } as const;

const SLICE = closed({ index: whole, count: { ...whole, minimum: 1, maximum: 1000 } });

const ORDER = closed({
  scenario: { type: 'string', maxLength: 1_000_000 },
  slice: SLICE,
  readOnly: { type: 'boolean' },
  target: closed({
    name: text,
    baseUrl: text,
    suiteKey: plan,
    enterprise: { ...closed({ perMinute: whole, perDay: whole }), type: ['object', 'null'] },
    windows: closed({ minute: positive, day: positive }),
    production: { type: 'boolean' },
    writes: { type: 'boolean' },
    exclusive: { type: 'boolean' },
    http: closed({ timeoutMs: positive, maxBodyBytes: positive, ca: { type: 'string', maxLength: 1_000_000 } }, ['ca']),
  }),
  keys: {
    type: 'array',
    minItems: 1,
    maxItems: 4,
    items: closed({
      plan,
      variable: { ...perhaps, pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
      digest: { ...perhaps, pattern: '^[0-9a-f]{64}$' },
      secret: perhaps,
    }),
  },
});

const JOB = closed({
  interface: whole,
  kit: text,
  run: { type: 'string', pattern: '^[0-9a-f]{8}$' },
  index: whole,
  count: { ...whole, minimum: 1, maximum: 1000 },
  order: { type: 'string', maxLength: 4_000_000 },
  sealed: { type: 'boolean' },
});

const isOrder = once(() => new Ajv2020({ allowUnionTypes: true }).compile<Order>(ORDER));
const isJob = once(() => new Ajv2020({ allowUnionTypes: true }).compile<SliceJob>(JOB));

/** What came as a job, if it is one. */
export const jobOf = (value: unknown): SliceJob | null => (isJob()(value) ? value : null);

/** An order from its text; null for what is none. */
export function parseOrder(json: string): Order | null {
  try {
    const value: unknown = JSON.parse(json);
    return isOrder()(value) ? value : null;
  } catch {
    return null;
  }
}
