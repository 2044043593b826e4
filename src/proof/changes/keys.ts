import type { Change, Context } from '../../reference/behaviour.js';
import { after } from './requests.js';
import type { Incoming } from '../../reference/messages.js';
import type { Settings } from '../../reference/options.js';
import { type KeyName, keyNames } from '../../base/interface/names.js';

export const authorization = ({ headers }: Incoming): string | undefined => headers['authorization'];

export const bearer = (request: Incoming): string | undefined =>
  /^bearer +(\S+)$/i.exec(authorization(request) ?? '')?.[1];

export const hasNoHeader = ({ request }: Context) => authorization(request) === undefined;

export const hasBearer = ({ request }: Context) => bearer(request) !== undefined;

export function sameLetters(given: string | undefined, key: string): boolean {
  return given?.toLowerCase() === key.toLowerCase();
}

export const knowing = (keyOf: (request: Incoming, settings: Settings) => KeyName | undefined): Change =>
  after('authenticate', (caller, request, settings) => {
    const key = caller.kind === 'known' ? undefined : keyOf(request, settings);
    return key === undefined ? caller : { kind: 'known', key };
  });

export const keyWhere = (test: (key: string, request: Incoming) => boolean): Change =>
  knowing((request, settings) => keyThat(settings, (key) => test(key, request)));

export const inHeader = (name: string, form: (key: string) => string = (key) => key): Change =>
  keyWhere((key, { headers }) => headers[name] === form(key));

export const inAuthorization = (form: (key: string) => string): Change => inHeader('authorization', form);

export const inQuery = (name: string): Change => keyWhere((key, { query }) => key === query.get(name));

export const keyThat = ({ keys }: Settings, test: (key: string) => boolean): KeyName | undefined =>
  keyNames.find((name) => test(keys[name]));

export const refusingHeaders = (accepts: (header: string) => boolean): Change =>
  after('authenticate', (caller, request) =>
    accepts(authorization(request) ?? '') ? caller : { kind: 'unknown' },
  );
