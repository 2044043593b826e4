import type { HeaderRequest } from '../log/header.js';
import type { OwnRequest } from '../drive/own/own-suites.js';
import type { LogRecord } from '../log/record.js';
import type { Redacted } from '../wire/exchange/redact.js';
import type { RemovalPhase } from '../base/interface/removal-phase.js';
import type { SuitesCost } from '../report/examination.js';
import { keysIn } from '../wire/targets/keys.js';

export interface ExploreRequest {
  /** Most requests, and most animals that they may add. */
  readonly requests: number;
  readonly animals: number;
  readonly seed: number;
  /** Paths of the stories to replay first. */
  readonly replay?: readonly string[];
  /** If true, the usual stories follow the replayed ones. */
  readonly onward?: true;
}

export interface RunRequest extends HeaderRequest {
  readonly explore?: ExploreRequest;
  readonly own?: OwnRequest;
  readonly allowLoadOnProduction?: boolean;
}

/** What a run sends, and how long it takes, s; `isMost` if it usually is far less. */
export interface Estimate {
  readonly requests: number;
  readonly seconds: number;
  readonly isMost?: boolean;
  /** What the suites send of that; null or absent for a run without suites. */
  readonly suites?: SuitesCost | null;
}

export interface RunOptions {
  readonly request: RunRequest;
  readonly removal: RemovalPhase;
  readonly directory: string;
  /** @param latencyMs as preflight measured it */
  readonly estimate: (latencyMs: number) => Promise<Estimate>;
  /** Computes the maximum duration in seconds; absent if the caller enforces one. */
  readonly most?: (() => Promise<number>) | undefined;
  /** Further names of the user's own, such as those of a scenario's phases. */
  readonly words?: readonly string[];
  /** Ends the run early; its records so far remain. */
  readonly signal: AbortSignal;
  readonly onRecord: (record: Redacted<LogRecord>) => void;
}

/**
 * Returns the user's own names, addresses and commands of a run, which no piece of a key cuts; see
 * `redactor`.
 */
export function ownWordsOf({
  target,
  command,
  label,
  subject = [],
  selection,
  own,
  acceptance,
}: HeaderRequest): readonly string[] {
  const { host, hostname } = new URL(target.baseUrl);
  const accepted = (acceptance?.accepted ?? []).flatMap(({ reason, link }) => [reason, link]);
  const statements = (own?.rows ?? []).map(({ statement }) => statement);
  const named = [label, selection?.scenario].filter((name) => name !== undefined);
  const subjects = subject.map(({ name }) => name);
  return [
    target.name,
    target.baseUrl,
    host,
    hostname,
    command,
    ...named,
    ...subjects,
    ...accepted,
    ...statements,
  ];
}

/** Returns all keys in clear, the suites' own first. */
export function keysOf({ target }: RunRequest): readonly string[] {
  const own = target.keys[target.suiteKey]?.reveal();
  return [...new Set([...(own === undefined ? [] : [own]), ...keysIn(target)])];
}
