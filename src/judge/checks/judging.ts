import { loadContract } from '../../base/interface/contract.js';
import { createResponseValidator } from '../../base/interface/response-validator.js';
import { once } from '../../base/kernel/config-file.js';
import type { Judging } from './layers.js';

export const judging = once((): Judging => {
  const contract = loadContract();
  return { contract, validator: createResponseValidator(contract) };
});
