import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf, type AgentSeconds, type RunState, type SliceState } from '../../loadkit/fleet/messages.js';
import { BEAT_MS } from '../../loadkit/fleet/state.js';
import type { SecondRecord } from '../../log/capacity-record.js';
import type { Beat } from './crew.js';

/** Interval of looking at what came, ms: a start is announced several beats ahead. */
const LOOK_MS = BEAT_MS / 5;

/** A second as it is sent during the run, without its operations and use of keys. */
export function liveSecond(record: SecondRecord): AgentSeconds[number] {
  const { operations: _, keyUse: __, ...second } = record;
  return second;
}

/**
 * Opens a sender's account of its run: what it reports, and what it heard. Its messages may travel by any
 * way.
 *
 * @param changed is called after each change of what it reports
 */
export function senderState(
  self: Pick<SliceState, 'instance' | 'name' | 'offsetMs' | 'errorMs'>,
  changed: () => void = () => undefined,
) {
  const over = new AbortController();
  let why = 'the run is over';
  let heard: RunState | null = null;
  let state: SliceState = { ...self, step: 'joined', beat: 0, reason: null, startAt: 0 };
  const end = (reason: string): void => {
    if (over.signal.aborted) return;
    why = reason;
    over.abort();
  };
  const tell: Beat['tell'] = (change) => {
    state = { ...state, ...change, ...(change.reason && { reason: reasonOf(change.reason) }) };
    changed();
  };
  return {
    offsetMs: self.offsetMs,
    over: over.signal,
    why: (): string => why,
    tell,
    /** Ends the run for this sender; the first reason counts. */
    end,
    message(): SliceState {
      state = { ...state, beat: state.beat + 1 };
      return state;
    },
    /** Notes a message of the coordinator. Returns false if it is known already. */
    hear(next: RunState): boolean {
      const isNew = next.beat !== heard?.beat || next.step !== heard.step;
      heard = next;
      if (next.step === 'stop') end('the run was stopped');
      return isNew;
    },
    async refuse(reason: string, signal: AbortSignal): Promise<void> {
      tell({ step: 'refused', reason });
      while (!over.signal.aborted && !signal.aborted) await sleep(BEAT_MS);
    },
    /** @param isMine returns whether the run counts on this sender */
    async until(step: 'prepare' | 'go', isMine: () => boolean = () => true): Promise<RunState> {
      const isReached = (): boolean => isMine() && (heard?.step === step || heard?.step === 'go');
      while (!isReached() && !over.signal.aborted) await sleep(LOOK_MS);
      if (over.signal.aborted || heard === null) throw new DOMException(why, 'AbortError');
      return heard;
    },
  };
}
