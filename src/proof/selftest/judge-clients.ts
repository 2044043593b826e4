import pLimit from 'p-limit';
import { createHash, randomBytes } from 'node:crypto';
import type { ClientRow } from '../../base/interface/requirement-ids.js';
import { play } from '../../drive/client-scenarios/play.js';
import { scenarioOf } from '../../drive/client-scenarios/scenarios.js';
import type { ClientExchange, Traffic } from '../../wire/exchange/client-exchange.js';
import { isViolated } from '../../judge/findings/finding.js';
import { judgeClient } from '../../judge/clients/judge-client.js';
import type { ReferenceClient } from '../index.js';
import { randomFrom } from '../../base/kernel/random.js';

/** A client as judged: the rows that turned red, and whether these are the declared ones. */
interface JudgedClient {
  readonly client: ReferenceClient;
  readonly red: readonly ClientRow[];
  readonly shown: readonly ClientRow[];
  readonly messages: readonly string[];
  readonly ok: boolean;
}

/** Clients that run at the same time. They mostly wait, and share one event loop. */
const AT_ONCE = 12;

/**
 * Runs of a flawed client whose mistake does not show. Equal waits show only where no timer of five is 50 ms
 * late: on a busy machine perhaps every third time.
 */
const ATTEMPTS = 10;

const onlyMissing = ({ ok, red, client }: JudgedClient): boolean =>
  !ok && red.every((row) => client.turns.includes(row));

/**
 * Runs each client over real sockets in its scenarios, some in parallel, and judges it. A busy machine may
 * hide a mistake, and never invents one: what is red is red. So a client whose mistake did not show runs
 * again, after all others and by itself.
 */
export async function judgeClients(
  clients: readonly ReferenceClient[],
  onJudged: (judged: JudgedClient) => void = () => undefined,
): Promise<readonly JudgedClient[]> {
  const limit = pLimit(AT_ONCE);
  const first = await Promise.all(
    clients.map((client) =>
      limit(async () => {
        const judged = await judgeOne(client);
        if (!onlyMissing(judged)) onJudged(judged);
        return judged;
      }),
    ),
  );
  const all: JudgedClient[] = [];
  for (const judged of first) {
    const last = onlyMissing(judged) ? await untilShown(judged) : judged;
    if (last !== judged) onJudged(last);
    all.push(last);
  }
  return all;
}

async function untilShown(before: JudgedClient): Promise<JudgedClient> {
  let judged = before;
  for (let again = 1; again < ATTEMPTS && onlyMissing(judged); again += 1)
    judged = await judgeOne(judged.client);
  return judged;
}

async function judgeOne(client: ReferenceClient): Promise<JudgedClient> {
  const records = await Promise.all(client.plays.map((scenario) => recordOf(client, scenario)));
  const findings = judgeClient(records);
  const rows = (wanted: (kind: string) => boolean): readonly ClientRow[] => [
    ...new Set(
      findings.filter(({ kind }) => wanted(kind)).map(({ requirement }) => requirement as ClientRow),
    ),
  ];
  const red = rows((kind) => kind === 'violated');
  return {
    client,
    red,
    shown: rows((kind) => kind === 'violated' || kind === 'kept'),
    messages: findings
      .filter(isViolated)
      .flatMap((finding) => (finding.kind === 'violated' ? [finding.message] : [])),
    ok: red.length === client.turns.length && red.every((row) => client.turns.includes(row)),
  };
}

/** Returns the seed of a client's random waits, which no other client changes. */
const seedOf = ({ name }: ReferenceClient): number =>
  createHash('sha256').update(name).digest().readInt32LE();

async function recordOf(
  client: ReferenceClient,
  scenario: ReferenceClient['plays'][number],
): Promise<Traffic> {
  const key = `pk${randomBytes(16).toString('hex')}`;
  const exchanges: ClientExchange[] = [];
  await using stage = await play(scenarioOf(scenario), {
    key,
    nextId: () => `t${exchanges.length + 1}`,
    onExchange: (exchange) => void exchanges.push(exchange),
  });
  await client.run({ baseUrl: stage.baseUrl, key, random: randomFrom(seedOf(client)) });
  return { ...stage.facts, exchanges, end: await stage.end(true) };
}

export const complaintOn = ({ client, red, messages }: JudgedClient): string =>
  `client ${client.name}: turned red ${red.join(', ') || 'nothing'}, declared ${client.turns.join(', ') || 'nothing'}` +
  (messages.length > 0 ? ` (${messages[0]})` : '');

export function clientLines(judged: readonly JudgedClient[]): readonly string[] {
  const flawed = judged.filter(({ client }) => client.turns.length > 0);
  const sound = judged.filter(({ client }) => client.turns.length === 0);
  const right = (of: readonly JudgedClient[]): number => of.filter(({ ok }) => ok).length;
  return [
    ...(flawed.length > 0 ? [`clients    ${right(flawed)} of ${flawed.length} flawed clients caught`] : []),
    ...(sound.length > 0 ? [`           ${right(sound)} of ${sound.length} sound clients passed`] : []),
  ];
}
