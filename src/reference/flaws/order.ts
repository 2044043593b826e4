import type { Context } from '../behaviour.js';
import { early } from '../changes.js';
import type { Answer } from '../messages.js';
import { flawsTurning } from '../registry.js';
import { isStrangers } from './_callers.js';

/** Mistakes about the order in which a request is looked at. */
export const orderFlaws = flawsTurning(['auth-before-work'], 'suites', {
  'body-validated-before-key': {
    title: 'The body is validated before the key is asked for, so that an invalid one gets 400 from anybody.',
    change: early((context) => (isStrangers(context, 'createPet') ? refusalOf(context) : null)),
  },
  'body-parsed-before-key': {
    title: 'The body is parsed before the key is asked for, so that broken JSON gets 400 from anybody.',
    change: early((context) => {
      if (!isStrangers(context, 'createPet') || context.request.body === '') return null;
      const body = context.behaviour.readBody(context.request.body);
      return body.ok ? null : context.behaviour.problem(body.problem, context);
    }),
  },
  'animal-sought-before-key': {
    title: 'The animal is looked for before the key is asked for: a 404 tells anybody which ids exist.',
    change: early((context) => {
      if (!isStrangers(context, 'getPet')) return null;
      const answer = context.behaviour.operations.getPet(context);
      return answer.status === 404 ? answer : null;
    }),
  },
  'animal-saved-before-key': {
    title: 'A creation is saved, and then the key is asked for.',
    change: early((context) => {
      if (isStrangers(context, 'createPet')) context.behaviour.operations.createPet(context);
      return null;
    }),
  },
});

/** The refusal that a creation would get, with nothing kept of one that succeeds. */
function refusalOf(context: Context): Answer | null {
  const store = { ...context.store, add: () => undefined };
  const answer = context.behaviour.operations.createPet({ ...context, store });
  return answer.status === 400 ? answer : null;
}
