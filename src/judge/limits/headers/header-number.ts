export { headerNumber, plainInteger, readReset, unixReset } from '../../../base/interface/rate-headers.js';
