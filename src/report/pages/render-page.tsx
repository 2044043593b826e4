import { renderDocument } from './document.js';
import type { PageInput } from './input.js';
import { Contents } from './markup/head.js';
import { moment, counted } from '../../base/kernel/format.js';
import { standingWords } from '../../outcome/words/scoped-verdict.js';
import type { Results } from '../../outcome/results/results.js';
import { Explored } from './parts/explored.js';
import { Limits } from './parts/limits.js';
import { Scenarios, trafficTitle } from './parts/scenarios.js';
import { RequirementMap } from './parts/map.js';
import { Accepted, FailureList } from './parts/failures.js';
import { Asides } from './parts/asides.js';
import { Own, Requirements, UndefinedBehaviours } from './parts/requirements.js';
import { Repeat, Confidence } from './parts/confidence.js';
import { isOfService, timesOfRun } from '../../outcome/words/traffic.js';
import { ObstacleHead, RunFacts, VerdictHead, WhereAndWhen } from './parts/verdict.js';

/** Pure: the same input gives the same bytes. */
export function renderPage(input: PageInput): string {
  const { document } = input;
  const { results } = document;
  return renderDocument({
    looks: 'run',
    title: `${wordOf(results)}: ${results.target.name}, ${moment(timesOfRun(results).startedAt)}`,
    description: document.sentence,
    body: results.obstacle ? (
      <>
        <ObstacleHead results={results} obstacle={results.obstacle} />
        <main>
          <section>
            <h2>What was tried</h2>
            <p class="lead">{counted(results.requests.total, 'request')} sent; the run ended there.</p>
          </section>
          <Repeat {...input} />
        </main>
      </>
    ) : (
      <Page {...input} />
    ),
  });
}

function wordOf(results: Results): string {
  if (results.obstacle) return 'Not started';
  return `${standingWords(results)}${results.complete ? '' : ' (cut short)'}`;
}

function Page(input: PageInput) {
  const { document } = input;
  const { results } = document;
  // Failures come first; for a sound server, the basis of the verdict does.
  const about = (
    <>
      <RunFacts {...input} />
      <Asides {...input} />
    </>
  );
  const hasService = isOfService(results);
  const isBroken = document.faults.length + document.kitFaults.length > 0;
  return (
    <>
      <a class="skip on-screen" href="#fix">
        Skip to what to fix
      </a>
      <VerdictHead {...input} isBrief={isBroken}>
        {isBroken ? <WhereAndWhen {...input} /> : about}
      </VerdictHead>
      <Contents
        sections={SECTIONS.filter(
          ([id]) =>
            (id !== 'explored' || results.explored) &&
            (id !== 'scenarios' || input.log.traffic.length > 0) &&
            (id !== 'limits' || hasService) &&
            (id !== 'own' || results.own) &&
            (id !== 'about' || isBroken),
        ).map(([id, name]) => [id, id === 'scenarios' ? trafficTitle(input.log) : name])}
      >
        <input
          id="filter"
          type="search"
          placeholder="Filter requirements"
          aria-label="Filter requirements by id, words, level or outcome"
          autocomplete="off"
          spellcheck={false}
        />
        <kbd aria-hidden="true">/</kbd>
        <button id="found" type="button" hidden />
      </Contents>
      <main>
        <FailureList document={document} />
        <Accepted document={document} />
        {isBroken && (
          <section id="about">
            <h2>About this run</h2>
            {about}
          </section>
        )}
        {input.log.traffic.length > 0 && <Scenarios {...input} />}
        <RequirementMap document={document} />
        {hasService && <Limits {...input} />}
        <Requirements {...input} />
        <UndefinedBehaviours document={document} />
        {results.own && <Own {...input} own={results.own} />}
        {results.explored && <Explored {...input} explored={results.explored} />}
        <Confidence {...input} />
      </main>
    </>
  );
}

const SECTIONS = [
  ['fix', 'Fix'],
  ['about', 'About'],
  ['scenarios', 'Scenarios'],
  ['map', 'Map'],
  ['limits', 'Limits'],
  ['requirements', 'Requirements'],
  ['left-open', 'Left open'],
  ['own', 'Own suites'],
  ['explored', 'Explored'],
  ['how-far-to-trust', 'Trust'],
] as const;
