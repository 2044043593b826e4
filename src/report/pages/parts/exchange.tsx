import { traceOf } from '../../../wire/exchange/headers.js';
import type { Answer, Exchange, Header } from '../../../wire/exchange/types.js';
import { clock, count, counted, duration } from '../../../base/kernel/format.js';
import { cut } from '../../../base/kernel/visible.js';
import { CommandLine } from '../markup/lists.js';
import { Table } from '../markup/table.js';
import { Shown, Text } from './text.js';
import { AMOUNTS } from '../../amounts.js';

const MOST = AMOUNTS.page;

interface ExchangeProps {
  readonly exchange: Exchange;
  /** null where it would not show what the card says: a client's fault is its own. */
  readonly curl: string | null;
  /** Set for all exchanges of a card except the first. */
  readonly folded: boolean;
}

export function ExchangeView({ exchange, curl, folded }: ExchangeProps) {
  const [Block, Title] = folded ? (['details', 'summary'] as const) : (['div', 'p'] as const);
  const { id, probe, request, answer, sentAt, latencyMs, attempts } = exchange;
  const trace = traceOf(exchange);
  return (
    <Block class="exchange">
      <Title class="exchange-head">
        <b>{id}</b> <Text longest={200}>{probe}</Text>
        <span class="note">
          {' '}
          sent {clock(sentAt)} UTC,{' '}
          {answer.kind === 'response' ? `got ${answer.status} after` : 'gave up after'} {duration(latencyMs)}
          {attempts > 1 && `, ${counted(attempts, 'attempt')}`}
          {trace !== null && `, trace ${trace}`}
        </span>
      </Title>
      <div class="wires">
        <div>
          <h5 class="on-screen">Request</h5>
          <pre class="wire on-screen">
            <code>
              <b>
                <Shown text={`${request.method} ${cut(request.path, MOST.sentCharacters).text}`} />
              </b>
              {'\n'}
              <HeaderLines headers={request.headers} />
              {request.body !== null && <Body text={request.body} longest={MOST.sentCharacters} />}
            </code>
          </pre>
          {curl !== null && (
            <>
              <h5 class="on-screen">Send it again</h5>
              <CommandLine text={curl} what="curl" />
            </>
          )}
        </div>
        <div>
          <h5 class="on-screen">Response</h5>
          <pre class="wire">
            <code>
              <AnswerView answer={answer} />
            </code>
          </pre>
        </div>
      </div>
    </Block>
  );
}

const AnswerView = ({ answer }: { readonly answer: Answer }) =>
  answer.kind === 'none' ? (
    <>
      <b>no complete response: {answer.code}</b>
      {'\n'}
      <Shown text={cut(answer.message, MOST.sentCharacters).text} />
    </>
  ) : (
    <>
      <b>{answer.status}</b>
      {'\n'}
      <span class="on-screen">
        <HeaderLines headers={answer.headers} />
      </span>
      {answer.text === '' ? <i>{'\n'}no body</i> : <Body text={answer.text} longest={MOST.bodyCharacters} />}
      {answer.cutFrom !== undefined && (
        <i>{`\n… the body had ${counted(answer.cutFrom, 'byte')}; only its beginning was kept`}</i>
      )}
    </>
  );

const HeaderLines = ({ headers }: { readonly headers: readonly Header[] }) => (
  <>
    {headers.slice(0, MOST.headers).map(([name, value]) => {
      const shown = cut(value, MOST.headerCharacters);
      return (
        <>
          <span class="header-name">
            <Shown text={`${cut(name, MOST.headerCharacters).text}:`} />
          </span>{' '}
          <Shown text={shown.text} />
          {shown.leftOff > 0 && <i> … {count(shown.leftOff)} more characters</i>}
          {'\n'}
        </>
      );
    })}
    {headers.length > MOST.headers && <i>{`and ${count(headers.length - MOST.headers)} more headers\n`}</i>}
  </>
);

function Body({ text, longest }: { readonly text: string; readonly longest: number }) {
  const shown = cut(text, longest);
  const onPaper = cut(shown.text, AMOUNTS.paper.bodyCharacters);
  return (
    <>
      {'\n'}
      <Shown text={onPaper.text} />
      {onPaper.leftOff > 0 && (
        <>
          <span class="on-screen">
            <Shown text={shown.text.slice(onPaper.text.length)} />
          </span>
          <i class="on-paper"> … {count(text.length - onPaper.text.length)} more characters</i>
        </>
      )}
      {shown.leftOff > 0 && (
        <i class="on-screen">
          {'\n'}… cut here: {count(shown.leftOff)} of {count(text.length)} characters not shown; all are in
          exchanges.har
        </i>
      )}
    </>
  );
}

/** @param shown whether some exchanges appear in full above */
export const OtherExchanges = ({
  exchanges,
  shown = false,
}: {
  readonly exchanges: readonly Exchange[];
  readonly shown?: boolean;
}) =>
  exchanges.length > 0 && (
    <>
      <h4>{shown ? 'Also in' : 'Seen in'}</h4>
      <ExchangeTable
        label="Exchanges"
        exchanges={exchanges.slice(0, MOST.exchangeLines)}
        headClass="unseen"
      />
      {exchanges.length > MOST.exchangeLines && (
        <p class="note">and {count(exchanges.length - MOST.exchangeLines)} more</p>
      )}
    </>
  );

interface ExchangeTableProps {
  readonly label: string;
  readonly exchanges: readonly Exchange[];
  readonly headClass?: string;
}

export const ExchangeTable = ({ exchanges, ...rest }: ExchangeTableProps) => (
  <Table
    {...rest}
    class="dense traffic"
    columns={['Exchange', ['Request', 'left wide'], 'Response', 'Time']}
    rows={exchanges.map(({ id, probe, request, answer, latencyMs }) => [
      id,
      <>
        <Text longest={120}>{probe}</Text>{' '}
        <code class="note">
          <Text longest={120}>{`${request.method} ${request.path}`}</Text>
        </code>
      </>,
      answer.kind === 'response' ? answer.status : answer.code,
      duration(latencyMs),
    ])}
  />
);
