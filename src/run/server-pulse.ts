import { connect } from 'node:net';

/** Between two looks at a server on this machine, ms: a restart takes longer as a rule. */
const NEAR_MS = 250;
/** The same of a server elsewhere: it is not to be bothered more than once a second. */
const FAR_MS = 1_000;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Tells when a server stops listening and when it listens again. A look is a connection that is closed at once: it takes
 * nothing of any allowance and carries no key.
 * @param onChange told whether it listens, from the second look on whenever that has changed; at the first where it does not
 * @returns a function that ends it
 */
export function followServer(baseUrl: string, onChange: (listens: boolean) => void): () => void {
  const { hostname, port, protocol } = new URL(baseUrl);
  const everyMs = LOOPBACK.test(hostname) ? NEAR_MS : FAR_MS;
  const place = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    timeout: FAR_MS,
  };
  let listened = true;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const socket = connect(place);
    const tell = (listens: boolean): void => {
      socket.removeAllListeners().on('error', () => undefined);
      socket.destroy();
      if (isOver) return;
      if (listens !== listened) onChange((listened = listens));
      timer = setTimeout(look, everyMs);
    };
    socket.once('connect', () => tell(true));
    socket.once('timeout', () => tell(false));
    socket.once('error', () => tell(false));
  };
  look();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
