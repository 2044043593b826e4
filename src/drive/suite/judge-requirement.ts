import {
  about,
  unestablished,
  type Finding,
  type Judgement,
  faultText,
} from '../../judge/findings/finding.js';
import { notRefusedForItsKey, refusedForTheirKey } from '../../judge/checks/status.js';
import { softenedFor } from '../../judge/checks/passive.js';
import type { Requirement, RequirementId } from '../../base/interface/types.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { redactFinding } from '../../log/journal.js';
import { Unjudgeable } from '../probes/unjudgeable.js';
import type { Fixture, Judge, RunFacts } from './fixture.js';
import type { Probes } from '../probes/probes.js';

export interface Tools {
  readonly probes: Probes;
  readonly facts: RunFacts;
  readonly judge: Judge;
  /** Records a finding about another row, which is judged elsewhere. */
  readonly judgeFor: (row: RequirementId, ...judgements: readonly Judgement[]) => void;
  readonly contract: Fixture['judging']['contract'];
}

/** Test of one requirement: sends requests with the probes and passes every judgement to `judge`. */
export type RequirementBody = (tools: Tools) => Promise<void> | void;

/**
 * Runs one requirement's body and records its findings. An error in the body is a finding too: an
 * `Unjudgeable` has the reason, any other is a kit fault. Never throws. The findings are redacted, because a
 * host may show them.
 */
export async function judgeRequirement(
  row: Requirement,
  body: RequirementBody,
  fixture: Fixture,
): Promise<readonly Finding[]> {
  const judgements: Judgement[] = [];
  const forOthers: Finding[] = [];
  const sentBefore = fixture.probes.exchanges().length;
  try {
    await body({
      probes: fixture.probes,
      facts: fixture.facts,
      contract: fixture.judging.contract,
      judge: (...more) => void judgements.push(...more),
      judgeFor: (requirement, ...more) =>
        void forOthers.push(...more.map((judgement) => about(requirement, judgement))),
    });
  } catch (error) {
    judgements.push(
      error instanceof Unjudgeable ? error.judgement : { kind: 'fault', message: faultText(error) },
    );
  }
  if (judgements.length === 0) judgements.push(unestablished('nothing-judged', 'there was nothing to judge'));
  const soften = softenedFor(row.operations, fixture.judging.contract);
  const findings = judgements.map((judgement) =>
    redactFinding(soften(about(row.id, judgement)), fixture.redact),
  );
  const sent = fixture.probes.exchanges().slice(sentBefore);
  for (const finding of [
    ...findings,
    ...forOthers.map((finding) => redactFinding(finding, fixture.redact)),
    ...refusalsOfKey(row, sent, findings, fixture),
  ])
    fixture.journal.append({ type: 'finding', finding });
  fixture.journal.append({ type: 'settled', requirement: row.id });
  return findings;
}

/**
 * Charges the refusal of a valid key in any row to the key's row, unless that reported it. Not for every
 * exchange: before a run it is an obstacle, and under load it may be a ban.
 */
function refusalsOfKey(
  row: Requirement,
  sent: readonly Exchange[],
  findings: readonly Finding[],
  { judging, redact }: Fixture,
): readonly Finding[] {
  const said =
    row.id === KEY_ROW
      ? findings.flatMap((finding) => (finding.kind === 'violated' ? finding.exchanges : []))
      : [];
  return refusedForTheirKey(sent)
    .filter(({ id }) => !said.includes(id))
    .map((exchange) => {
      const soften = softenedFor(exchange.operation === null ? [] : [exchange.operation], judging.contract);
      return redactFinding(soften(about(KEY_ROW, notRefusedForItsKey(exchange))), redact);
    });
}

const KEY_ROW = 'auth-valid-key';
