import { createServer } from 'node:net';

/**
 * A pet store without a store, as fast as Node's sockets allow: in a load bench the generator must be the
 * slower side. Prints its port and serves until its input ends. With delays in ms as its argument, separated
 * by commas, responses wait for them in turn; at the end it prints the delays that they really had.
 */

const delays = (process.argv[2] ?? '').split(',').flatMap((text) => (text === '' ? [] : [Number(text)]));
const had: number[] = [];
let turn = 0;

/** Calls back after the next delay. */
function afterDelay(write: () => void): void {
  const delay = delays[turn % Math.max(1, delays.length)];
  turn += 1;
  if (delay === undefined) return write();
  const since = performance.now();
  setTimeout(() => {
    write();
    had.push(performance.now() - since);
  }, delay);
}

const animals = Array.from({ length: 100 }, (_, at) => ({
  id: 1000 + at,
  name: `animal ${at}`,
  categoryId: 5,
  status: 'available',
}));
const page = (limit: number): string => JSON.stringify(animals.slice(0, limit));
const PAGES = new Map([20, 100].map((limit) => [limit, page(limit)]));

let sent = 0;
let id = 5000;
let reset = '';
let date = '';
const tellTime = (): void => {
  reset = String(Math.ceil(Date.now() / 1000) + 30);
  date = new Date().toUTCString();
};
tellTime();
setInterval(tellTime, 1000).unref();

const answer = (status: string, body: string): string => {
  sent += 1;
  return `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nX-RateLimit-Limit: 100000000\r\nX-RateLimit-Remaining: ${100_000_000 - sent}\r\nX-RateLimit-Reset: ${reset}\r\nDate: ${date}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};

const server = createServer((socket) => {
  socket.on('error', () => socket.destroy());
  // The bench's requests are small: each arrives whole, one at a time.
  socket.on('data', (chunk) => {
    const text = chunk.toString('latin1');
    if (text.startsWith('POST')) {
      const pet = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as object;
      afterDelay(() => socket.write(answer('201 Created', JSON.stringify({ ...pet, id: (id += 1) }))));
      return;
    }
    const limit = text.startsWith('GET /v1/pets?limit=100') ? 100 : 20;
    afterDelay(() => socket.write(answer('200 OK', PAGES.get(limit) ?? '[]')));
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : 0}\n`);
});
process.stdin
  .on('end', () => process.stdout.write(`${JSON.stringify(had)}\n`, () => process.exit(0)))
  .resume();
