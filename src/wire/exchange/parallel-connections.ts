/** Fewest connections that must have gone unserved next to another one: fewer may be an accident. */
const FEWEST = 3;

export type ParallelConnections = ReturnType<typeof parallelConnections>;

/** Learns whether a server responds on a new connection while another one is open. */
export function parallelConnections() {
  const open = new Set<object>();
  let served = 0;
  let unserved = 0;
  const others = (owner: object): number => open.size - (open.has(owner) ? 1 : 0);
  return {
    /**
     * Notes the start of a request, and returns a function for its end, with whether a response came. Where
     * the other connections are closed by then, it shows nothing: the server may be slow, or may have
     * waited.
     */
    begin(owner: object, closed: AbortSignal): (isServed: boolean) => void {
      const isParallel = !open.has(owner) && others(owner) > 0;
      return (isServed) => {
        if (isParallel && others(owner) > 0)
          if (isServed) served += 1;
          else unserved += 1;
        if (!isServed || closed.aborted || open.has(owner)) return;
        open.add(owner);
        closed.addEventListener('abort', () => open.delete(owner), { once: true });
      };
    },
    /** Forgets a connection that this side closes now. */
    forget: (owner: object): void => void open.delete(owner),
    /** True if the server never responded on a connection while another one was open. */
    isSingle: (): boolean => served === 0 && unserved >= FEWEST,
  };
}
