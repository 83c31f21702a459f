/** Rows of what `decisions.md` and the notes in `spec/` add to the interface specification, one list for each part. @module */
import { type Row, row } from './table.ts'

const DELIVERIES = 'actors/deliveries.test.ts'
const POST = 'actors/post-callback.test.ts'
const COMMAND = 'cli/deliveries.test.ts'
const KILLS = 'faults/kill-callbacks.test.ts'

const CALLBACKS = [
  row('callbacks address', 'the URL as given (D22)', {
    file: POST,
    title: /^the result goes as JSON to the address/,
  }),
  row('callbacks form', 'a result JWT made anew for each attempt, or JSON', {
    file: POST,
    title: /^with a key it is a JWT/,
  }),
  row('callbacks without a JWT key', 'unsigned only where the profile or an option allows it', {
    file: POST,
    title: /^without a key, and where unsigned results may not leave/,
  }),
  row('callbacks acceptance', 'every 2xx', { file: POST, title: /^every 2xx is an acceptance/ }),
  row('callbacks redirect', 'not followed', {
    file: 'actors/outgoing.test.ts',
    title: /^a redirect is not followed/,
  }),
  row('callbacks retries', 'waits that double up to the longest, for 24 h', {
    file: DELIVERIES,
    title: /^it is repeated after waits that double/,
  }),
  row('callbacks Idempotency-Key', 'one for all repeats, which no other callback has', {
    file: KILLS,
    title: /^all repeats of a callback carry one key/,
  }),
  row('callbacks at most 8 at once per host', 'a host that never answers delays no other', {
    file: DELIVERIES,
    title: /^of one host 8 are posted at once/,
  }),
  row('callbacks at least once', 'also after kill -9 of the server', {
    file: KILLS,
    title: /^of \d+ callbacks/,
  }),
  row('callbacks of ended sessions alone', 'none before the final status', {
    file: KILLS,
    title: /^none is sent for a session that did not end/,
  }),
  row('callbacks afterwards', 'a line of the log without attributes', {
    file: DELIVERIES,
    title: /^a callback is posted as soon/,
  }),
  row('callbacks log', '`svc deliveries list`, `show` and `replay`', {
    file: COMMAND,
    title: /^(list|show|replay)/,
  }),
]

export const ROWS_OF_DECISIONS: readonly Row[] = [...CALLBACKS]
