/** Ends the questions to a key: the next request might be one refusal too many, or the run was interrupted. */
export class Enough extends Error {
  override name = 'Enough';
}
