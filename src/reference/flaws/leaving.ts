import type { Change, Context } from '../behaviour.js';
import { early, seams, sentMembers } from '../changes.js';
import { member } from '../json.js';
import { flawsOf } from '../registry.js';
import { isStrangers } from './_callers.js';
import { hasAll, lacks } from './_creations.js';

/** Mistakes about what a refused creation leaves behind. */
export const leavingFlaws = flawsOf('suites', [
  {
    name: 'creation-kept-before-key',
    options: { animals: 150 },
    title: 'A creation is done before the key is looked at, and stays when that refuses it.',
    turns: ['auth-before-work'],
    change: early((context) => {
      if (isStrangers(context, 'createPet') && hasAll(context)) context.behaviour.operations.createPet(context);
      return null;
    }),
  },
  {
    name: 'refused-status-leaves-animal',
    title: 'The animal is saved before its status is looked at, so that a refusal leaves it in the store.',
    turns: ['create-rejected-leaves-nothing'],
    change: leavingAnimal((context) => hasAll(context) && member(sentMembers(context), 'status') !== undefined),
  },
  {
    name: 'refused-category-leaves-animal',
    title: 'The animal is saved before its category is checked, without a transaction round the two.',
    turns: ['create-rejected-leaves-nothing'],
    change: leavingAnimal((context) => !lacks(context, 'name')),
  },
]);

/** Keeps an animal, in the right shape, of some creations that are refused. */
function leavingAnimal(which: (context: Context) => boolean): Change {
  return seams(({ operations }) => ({
    operations: {
      ...operations,
      createPet: (context) => {
        const answer = operations.createPet(context);
        const { name } = sentMembers(context);
        const { store, request, behaviour } = context;
        if (answer.status === 400 && typeof name === 'string' && which(context)) {
          const id = behaviour.idOf(store.all().length + 1);
          store.add({ id, name, categoryId: 1n, status: undefined, addedAt: request.at });
        }
        return answer;
      },
    },
  }));
}
