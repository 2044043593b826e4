/** Loads the command, which is an ECMAScript module. A separate file, because an old Node cannot read `import()`. */
void import('./main.js');
