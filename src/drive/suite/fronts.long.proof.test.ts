import { testsBlocked, testsLongForms, testsNoEncoding } from './fronts.test.support.js';

/** Further ways in which a proxy disturbs; see also fronts.long.test.ts. */

testsBlocked('the third', 3, 403);
testsBlocked('the hundredth', 100, 403);
testsBlocked('the thirtieth (406)', 30, 406);
testsBlocked('the twentieth (404)', 20, 404);

testsLongForms('Node refuses with 431');
testsLongForms('IIS refuses with 404');
testsLongForms('a proxy closes the connection');

for (const name of ['UTF-8', 'binary', '*']) testsNoEncoding(name);
