/** Characters of a command to paste: a longer one is not useful, and the page has it. */
const COMMAND = 2_000;

/**
 * How much of a run's document each kind of report shows. What is left out is counted there, and the page or
 * results.json has it. No report has its own amount.
 */
export const AMOUNTS = {
  /** A screen of 80 columns: the page has the rest. */
  terminal: {
    /** Findings of a row with both values and a command. */
    findings: 2,
    /** Further findings, a line each: other faults of a shape should be visible now. */
    briefFindings: 4,
    /** Kinds of finding of a fault in the list at the end. */
    groups: 3,
    /** Lines of a value on a screen; a file has all. */
    lines: 3,
    storySteps: 6,
    /** Rows with one reason that are named. */
    alikeRows: 5,
    /** Rows named in a line of 80 columns. */
    lineNames: 2,
    /** Inconclusive rows named at the end; a longer list would only repeat the parts above. */
    openRows: 12,
    /** Requests of a client in one line. */
    clientMarks: 12,
    /** Lines of a history's load runs, and of its rows that need attention. */
    historyLines: 12,
    command: COMMAND,
    /** The run of the sample server, which nobody has to fix: its reader looks at the whole of it. */
    firstRun: {
      /** With the four lines that npm prints before them 45, nearly two screens of 24. */
      lines: 41,
      /** Lines about long waits; after them, the load experiments that end show that the run goes on. */
      waits: 2,
      /** Faults in the list at the end, if there is no room for all. */
      faults: 3,
      /** Reasons of a part's inconclusive rows. */
      reasons: 2,
      /** Rows of an outcome that the end names. */
      names: 3,
    },
  },
  /** A card or a list of the page; its table of exchanges, exchanges.har and results.json have the rest. */
  page: {
    findings: 12,
    /** Kinds of finding of a fault in the list of what to fix. */
    groups: 3,
    /** Short findings, as a table. */
    findingRows: 25,
    /** Exchanges of a card that did not pass, with headers and bodies. */
    wholeExchanges: 3,
    /** Characters of a certificate's sentence: those of version 2 list every gap, and some are longer. */
    statementCharacters: 1_500,
    observations: 40,
    /** Ids in a line. */
    ids: 8,
    /** Ids next to a finding. */
    findingIds: 3,
    /** Characters of both values of a finding: a longer one is a body, which its exchange shows. */
    valueCharacters: 1_200,
    /** Characters of a response's body: the first dozen animals. */
    bodyCharacters: 2_000,
    /** Characters of a path or body that the kit sent; it is rarely long. */
    sentCharacters: 1_000,
    headers: 30,
    headerCharacters: 400,
    /** Exchanges in the table of a card. */
    exchangeLines: 25,
    /** Rows of a table with all animals or exchanges of a run. */
    listed: 400,
    /** Marks of a chart, in the table below it. */
    marks: 12,
    /** Requests of a story as curl lines. */
    curlLines: 12,
    /** Classes that exploring left out, by name. */
    leftOutClasses: 4,
    /** Characters of a cell. */
    cellCharacters: 400,
    /** Characters of any other text that came from outside. */
    textCharacters: 2_000,
    storySteps: 12,
    /** Reasons of a missing certificate; the run printed all. */
    reasons: 3,
    /** Kinds of reduced coverage shown unfolded, so that failures stay in view. */
    unfoldedCoverage: 2,
    /** Rows of one reason that are all named; of more, the first and the last are. */
    namedRows: 4,
    /** Rows of one kind of change. */
    changedRows: 6,
    /** Problems of a baseline. */
    problems: 3,
    /** Lines of a part that a reader counts at a glance. */
    uncountedLines: 3,
  },
  /** The page on paper, which prints all cards that are not green; the page in the browser has the rest. */
  paper: {
    findings: 2,
    /** Characters of a body. */
    bodyCharacters: 140,
    findingRows: 6,
    /** Cards in full; with more, cards print finding and expected value, without exchanges. */
    wholeCards: 12,
  },
  /** A test case of JUnit or CTRF. */
  testCase: {
    /** A load profile may repeat one a thousand times. */
    findings: 20,
    /** Kinds of finding in its headline. */
    groups: 3,
    /** Of a value: a CI system keeps every file. */
    characters: 2_000,
  },
  /** summary.md, and a comparison in Markdown. */
  markdown: {
    findings: 3,
    hasExchanges: false,
    /**
     * Of a text: GitHub cuts a step's summary off at 1 MiB; with this a hundred requirements stay far below
     * it.
     */
    characters: 300,
  },
  /** todo.md: ten mistakes in less than 200 lines. */
  todo: {
    findings: 1,
    /** Further findings of a mistake, a line each; mostly one of each kind. */
    briefFindings: 3,
    /** Of a value or a body. */
    characters: 300,
    command: COMMAND,
    /** Rows with one reason that are named. */
    names: 6,
    warnings: 5,
  },
  /** Each side of two compared runs: their own reports have the rest. */
  comparison: {
    findings: 2,
    hasExchanges: false,
    /** Of a value on a terminal: two or three lines. */
    characters: 200,
    /** Rows of one kind of change on a terminal. */
    pairs: 25,
  },
  /** GitHub shows at most ten annotations of a kind a step; the lines beyond stay in the log. */
  annotation: { characters: 1_000, names: 6 },
} as const;
