/** Other programs read these names. */
export const FILES = {
  log: 'log.ndjson',
  results: 'results.json',
  page: 'index.html',
  junit: 'junit.xml',
  ctrf: 'ctrf.json',
  summary: 'summary.md',
  todo: 'todo.md',
  badge: 'badge.json',
  har: 'exchanges.har',
  certificate: 'certificate.json',
  attestation: 'certificate.intoto.json',
  playwright: 'playwright',
} as const;

export const PLAYWRIGHT_PAGE = `${FILES.playwright}/html/index.html`;
