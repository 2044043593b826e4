import type { Exchange } from '../../exchange/types.js';
import { counted, duration } from '../../format/format.js';
import { BLANK, line, span, type Line } from './lines.js';
import { say, type Look } from './look.js';

/** Every request that the suites sent, a line each: for --verbose. */
export function exchangeLines(exchanges: readonly Exchange[], look: Look): Line[] {
  if (exchanges.length === 0) return [];
  return [
    line(span(`${counted(exchanges.length, 'exchange')} of the suites`, 'strong')),
    ...exchanges.map((exchange) => exchangeLine(exchange, look)),
    BLANK,
  ];
}

function exchangeLine({ id, request, credential, answer, latencyMs, attempts, probe }: Exchange, look: Look): Line {
  const status = answer.kind === 'response' ? String(answer.status) : answer.code;
  const key = credential.kind === 'valid' ? credential.plan : credential.kind === 'none' ? 'no key' : credential.manner;
  const again = attempts > 1 ? `${look.glyphs.between}sent ${attempts} times` : '';
  return line(
    span(`   ${id.padEnd(5)} `, 'quiet'),
    span(`${say(look, request.method)} ${say(look, request.path)}`),
    span(`  ${status}`, answer.kind === 'response' ? 'strong' : 'doubt'),
    span(
      `  ${duration(latencyMs)}${look.glyphs.between}${say(look, key)}${again}${look.glyphs.between}${say(look, probe)}`,
      'quiet',
    ),
  );
}
