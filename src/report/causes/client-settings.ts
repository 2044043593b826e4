import type { ClientRow } from '../../base/interface/requirement-ids.js';

/** What a library of `docs/popular-clients.md` needs as options to keep a requirement. */
export interface ClientSetting {
  /** Name of the library, as on that page. */
  readonly library: string;
  /** How its User-Agent begins, in lower case. Libraries over `fetch` send that of their platform. */
  readonly agent: string;
  /** The setting by requirement, to follow the library's name. */
  readonly settings: Readonly<Partial<Record<ClientRow, string>>>;
}

/** Settings of the libraries whose User-Agent names them. `lossless` stands for a parser that keeps digits. */
export const CLIENT_SETTINGS: readonly ClientSetting[] = [
  {
    library: 'got',
    agent: 'got',
    settings: {
      'client-backoff':
        '`retry: { calculateDelay: ({ attemptCount, computedValue }) => ' +
        'computedValue && computedValue + 100 * 2 ** attemptCount }`',
      'client-int64': '`parseJson: (text) => lossless(text)`',
    },
  },
  {
    library: 'axios',
    agent: 'axios',
    settings: {
      'client-waits': '`axiosRetry(client)` of axios-retry 4, which reads Retry-After',
      'client-backoff':
        '`axiosRetry(client, { retryDelay: (count, error) => axiosRetry.exponentialDelay(0, error, 0) + 100 * 2 ** count })`',
      'client-int64': '`transformResponse: [(text) => lossless(text)]`',
    },
  },
  {
    library: 'superagent',
    agent: 'node-superagent',
    settings: {
      'client-waits': 'no `.retry()`, which never waits: send again after Retry-After',
      'client-int64': '`.buffer(true).parse(…)` with a parser that keeps digits',
    },
  },
  {
    library: 'node-fetch',
    agent: 'node-fetch',
    settings: {
      'client-int64': '`lossless(await response.text())` in place of `response.json()`',
      'client-key-stays': '`redirect: "manual"`',
    },
  },
  {
    library: 'fetch',
    agent: 'node',
    settings: {
      'client-waits': 'a wrapper that reads Retry-After, as ky does by default',
      'client-int64': '`lossless(await response.text())` in place of `response.json()`',
    },
  },
  {
    library: 'undici',
    agent: 'undici',
    settings: {
      'client-backoff':
        '`new RetryAgent(agent, { retry(error, { state }, done) { … } })`, which has to add to Retry-After itself',
      'client-int64': '`lossless(await response.text())` in place of `response.json()`',
    },
  },
];

/** Returns the setting of the library that a User-Agent names, as a sentence; null where none is known. */
export function settingFor(agent: string, row: ClientRow): string | null {
  const name = agent.toLowerCase();
  const found = CLIENT_SETTINGS.find(
    (each) =>
      name === each.agent || (/^[/ (]/.test(name.slice(each.agent.length)) && name.startsWith(each.agent)),
  );
  const setting = found?.settings[row];
  return found && setting !== undefined ? `With ${found.library}: ${setting.replaceAll('`', '')}.` : null;
}
