/** A gate that is opened once. */
export interface Gate {
  readonly passed: Promise<void>;
  readonly open: () => void;
}

export function closedGate(): Gate {
  let open: (() => void) | undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open: () => open?.() };
}
