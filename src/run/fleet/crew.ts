import { LOST_MS } from '../../loadkit/fleet/state.js';
import {
  type AgentSeconds,
  type RunState,
  type SliceJob,
  type SliceState,
} from '../../loadkit/fleet/messages.js';
import type { SecondRecord } from '../../log/capacity-record.js';
import type { Obstacle } from '../../log/record.js';

/** Longest time without a connection, ms: agents have stopped by then. */
export const MOST_AWAY_MS = 2 * LOST_MS;

/** One part's sender, as the coordinator sees it. */
export interface Seat {
  /** Latest message of the accepted sender; null before it joins. */
  readonly state: SliceState | null;
  readonly seconds: AgentSeconds;
  /** Why it is lost for certain, worded to follow its name; null while it may still report. */
  readonly broken: string | null;
}

/** The senders of a run's parts: agents over Redis, or workers of this machine. */
export interface Crew {
  readonly noun: 'agent' | 'worker';
  readonly seats: readonly Seat[];
  /** What to do where senders are missing, refuse or were lost. */
  readonly hints: Readonly<Record<'missing' | 'refused' | 'lost', string>>;
  /** Gives out one job for each seat. Returns the obstacle if that is impossible. */
  handOut(jobs: readonly SliceJob[]): Promise<Obstacle | null>;
  /** Sends and receives once. */
  beat(): Promise<void>;
  tell(change: Partial<Pick<RunState, 'step' | 'beginsAt'>>): void;
  /** Time without a message of a sender that could have been received, ms. */
  silentMs(index: number): number;
  /** Puts the log of a finished part into a file; false while it is not there. */
  fetchLog(index: number, file: string, mostBytes: number): Promise<boolean>;
  received(index: number): void;
  /** What keeps Redis from taking messages, and what to do; null if nothing. */
  fault(): { readonly what: string; readonly hint: string } | null;
  /** Time in which no sender could be reached, ms: now, and the longest so far. */
  awayMs(): number;
  longestAwayMs(): number;
  /** Returns the shared clock minus this process' clock, ms. */
  offsetMs(): Promise<number>;
  close(): Promise<void>;
}

/** What a sender hears from its coordinator, and reports to it. */
export interface Beat {
  /** Shared clock minus this process' clock, ms. */
  readonly offsetMs: number;
  /** Aborts when the run is over: it was stopped, or the coordinator is gone. */
  readonly over: AbortSignal;
  why(): string;
  tell(change: Partial<Pick<SliceState, 'step' | 'reason' | 'startAt'>>): void;
  second(record: SecondRecord): void;
  /** Hands in the finished log, and waits until it is taken or the run is over. */
  give(file: string): Promise<void>;
  /** Waits for a step; rejects if the run ends before. */
  until(step: 'prepare' | 'go'): Promise<RunState>;
  /** Reports a refusal, and waits for the end of the run. */
  refuse(reason: string, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
