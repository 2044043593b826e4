import type { VNode } from 'preact';
import type { Story } from '../../../findings/finding.js';
import { storyWords } from '../../../words/explored.js';
import { Text } from './text.js';

/** Most steps on a card: only stories that could not be shortened have more. */
const MOST_STEPS = 12;

/** Shortest sequence of requests that shows a violation, and how to replay it. */
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
