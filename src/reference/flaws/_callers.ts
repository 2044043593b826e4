import { type KeyName, keyNames } from '../../contract/plan-names.js';
import type { OperationName } from '../../contract/types.js';
import type { Change, Context } from '../behaviour.js';
import { isOperation, onAnswers, seams, withStatus } from '../changes.js';
import type { Answer, Incoming } from '../messages.js';
import type { Settings } from '../options.js';

/** What the flaws about keys are built from. */

/** Knows one more kind of caller: by the key, if any, that a request seems to carry. */
export const knowing = (keyOf: (request: Incoming, settings: Settings) => KeyName | undefined): Change =>
  seams(({ authenticate }) => ({
    authenticate: (request, settings) => {
      const caller = authenticate(request, settings);
      if (caller.kind === 'known') return caller;
      const key = keyOf(request, settings);
      return key === undefined ? caller : { kind: 'known', key };
    },
  }));

/** The key whose text passes a test. */
export const keyThat = ({ keys }: Settings, test: (key: string) => boolean): KeyName | undefined =>
  keyNames.find((name) => test(keys[name]));

/** The Authorization header. */
export const authorization = ({ headers }: Incoming): string | undefined => headers['authorization'];

/** The token of a request that carries one as a bearer. */
export const bearer = (request: Incoming): string | undefined =>
  /^bearer +(\S+)$/i.exec(authorization(request) ?? '')?.[1];

/** Whether a request comes without an Authorization header. */
export const hasNoHeader = ({ request }: Context) => authorization(request) === undefined;

/** Whether a request carries a bearer token, whoever issued it. */
export const hasBearer = ({ request }: Context) => bearer(request) !== undefined;

/** Answers 401 with something else. */
export const instead401 = (which: (context: Context) => boolean, alter: (answer: Answer) => Answer): Change =>
  onAnswers(withStatus(401), (answer, context) => (which(context) ? alter(answer) : answer));

/** Whether a request is for an operation, as a condition. */
export const on = (operation: OperationName) => (context: Context) => isOperation(context, operation);

/** Whether a request for an operation comes without a valid key. */
export function isStrangers(context: Context, operation: OperationName): boolean {
  return context.caller.kind === 'unknown' && isOperation(context, operation);
}

/** Whether two keys differ in letter case at most. */
export function sameLetters(given: string | undefined, key: string): boolean {
  return given?.toLowerCase() === key.toLowerCase();
}
