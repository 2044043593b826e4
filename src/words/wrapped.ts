/** Width of text on a terminal of 80 columns. */
const WIDTH = 80;

/** Wraps text into lines, aligned after a label. */
export function wrapped(label: string, text: string): readonly string[] {
  const lines: string[] = [];
  let current = label;
  for (const word of text.split(/\s+/)) {
    if (current.length + word.length + 1 > WIDTH && current.trim() !== '') {
      lines.push(current.trimEnd());
      current = ' '.repeat(label.length);
    }
    current += current.endsWith(' ') ? word : ` ${word}`;
  }
  return [...lines, current];
}
