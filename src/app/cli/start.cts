#!/usr/bin/env node
// The package's command. Every Node reads this file, also one that is too old for all others. So it has only the syntax of
// ECMAScript 5, and loads nothing before it knows the version.
/* oxlint-disable no-var, typescript/no-require-imports */

/** First version that the kit runs on, as `engines` in package.json says. */
var MAJOR = 20;
var MINOR = 19;

/** Exit code of errors that are no verdict. */
var EXIT_ERROR = 2;

var parts = process.versions.node.split('.');
var major = Number(parts[0]);

if (major < MAJOR || (major === MAJOR && Number(parts[1]) < MINOR)) {
  process.stderr.write(
    'petstore-conformance needs Node ' +
      MAJOR +
      '.' +
      MINOR +
      ' or later; this is ' +
      process.version +
      '.\n',
  );
  process.exitCode = EXIT_ERROR;
} else {
  require('./import-main.cjs');
}
