import type { ComponentChildren } from 'preact';
import { count } from '../../../base/kernel/format.js';
import { Shown, Text } from '../parts/text.js';
import { AMOUNTS } from '../../amounts.js';

/** Returns content with a text made harmless, because it may come from a target. */
export const harmless = (content: ComponentChildren): ComponentChildren =>
  typeof content === 'string' ? <Text longest={AMOUNTS.page.cellCharacters}>{content}</Text> : content;

export type Fact = readonly [name: ComponentChildren, value: ComponentChildren, note?: string];

interface FactsProps {
  readonly class: string;
  /** Facts; one that is not known is left out. */
  readonly facts: readonly (Fact | false | null)[];
}

export const Facts = ({ class: className, facts }: FactsProps) => (
  <dl class={className}>
    {facts
      .filter((fact) => fact !== null && fact !== false)
      .map(([name, value, note]) => (
        <div>
          <dt>{name}</dt>
          <dd>
            {harmless(value)}
            {note && <span class="note"> {note}</span>}
          </dd>
        </div>
      ))}
  </dl>
);

export const Items = ({
  class: className = 'reasons',
  items,
}: {
  readonly class?: string;
  readonly items: readonly ComponentChildren[];
}) => (
  <ul class={className}>
    {items.map((item) => (
      <li>{harmless(item)}</li>
    ))}
  </ul>
);

export const IdLink = ({ id }: { readonly id: string }) => (
  <a class="id" href={`#${encodeURIComponent(id)}`}>
    {id}
  </a>
);

export const Ids = ({
  ids,
  most = Infinity,
  between = ', ',
}: {
  readonly ids: readonly string[];
  readonly most?: number;
  readonly between?: string;
}) => (
  <>
    {ids.slice(0, most).map((id, at) => (
      <>
        {at > 0 && between}
        <IdLink id={id} />
      </>
    ))}
    {ids.length > most && ` and ${count(ids.length - most)} more`}
  </>
);

/** A command line with a button that copies it. */
export const CommandLine = ({
  text,
  what = 'command',
}: {
  readonly text: string;
  readonly what?: string;
}) => (
  <pre class="wire copyable" data-copy={what}>
    <code>
      <Shown text={text} />
    </code>
  </pre>
);

export const Fold = ({
  id,
  title,
  children,
}: {
  readonly id?: string;
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
}) => (
  <details class="fold" id={id}>
    <summary>{title}</summary>
    {children}
  </details>
);
