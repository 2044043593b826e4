import type { VNode } from 'preact';
import type { Story } from '../../../findings/finding.js';
import { storyWords } from '../../../words/explored.js';
import { Text } from './text.js';

/** Steps that a card shows: stories are short, unless they could not be made so. */
const MOST_STEPS = 12;

/** The shortest requests that show a violation, one after the other, and how to perform them again. */
export function StoryView({ story }: { readonly story: Story }): VNode {
  const left = story.steps.length - MOST_STEPS;
  return (
    <div class="story">
      <p class="note">
        <Text>{storyWords(story)}</Text>
      </p>
      <ol>
        {story.steps.slice(0, MOST_STEPS).map((step) => (
          <li>
            <code>
              <Text longest={400}>{step}</Text>
            </code>
          </li>
        ))}
      </ol>
      {left > 0 && <p class="note">and {left} more, in results.json</p>}
    </div>
  );
}
