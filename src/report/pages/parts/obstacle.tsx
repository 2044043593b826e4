import type { VNode } from 'preact';
import type { Results } from '../../../verdict/results.js';
import { moment } from '../../../format/format.js';
import { cannotStart, whatWasJudged } from '../../../words/obstacle.js';
import type { PageInput } from '../input.js';
import { Glyph } from './glyph.js';
import { Text } from './text.js';

interface ObstacleProps {
  readonly input: PageInput;
  readonly obstacle: NonNullable<Results['obstacle']>;
}

/** First screen of a run that could not start: reason and remedy. */
export function ObstacleHead({ input: { results }, obstacle }: ObstacleProps): VNode {
  return (
    <header class="head verdict-inconclusive">
      <p class="verdict-word">
        <Glyph outcome="inconclusive" /> Not started
        <span class="judge">
          {results.kit.name} {results.kit.version}
        </span>
      </p>
      <h1>
        <Text longest={600}>{cannotStart(obstacle)}</Text>
      </h1>
      <p class="what-to-do">
        <Text>{obstacle.hint}</Text>
      </p>
      <p class="bounds">
        {whatWasJudged(obstacle)}
        {results.verdict === 'inconclusive' && ' Whether the target conforms is unknown.'}
      </p>
      <dl class="facts">
        <div>
          <dt>Target</dt>
          <dd>
            <Text longest={120}>{results.target.name}</Text>
          </dd>
        </div>
        <div>
          <dt>Address</dt>
          <dd>
            <Text longest={120}>{results.target.baseUrl}</Text>
          </dd>
        </div>
        <div>
          <dt>Started</dt>
          <dd>{moment(results.startedAt).replace(/:\d\d UTC$/, ' UTC')}</dd>
        </div>
        <div>
          <dt>Code</dt>
          <dd>{obstacle.code}</dd>
        </div>
      </dl>
    </header>
  );
}
