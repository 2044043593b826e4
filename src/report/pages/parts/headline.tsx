import { Text } from './text.js';

/** Keeps dates from breaking at their hyphens. */
export const Headline = ({ text }: { readonly text: string }) => (
  <>
    {text
      .split(/(\d{4}-\d{2}-\d{2})/)
      .map((piece, at) => (at % 2 === 1 ? <span class="day">{piece}</span> : <Text longest={600}>{piece}</Text>))}
  </>
);
