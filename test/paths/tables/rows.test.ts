/** Every kind of difference between a table and a chart, each shown as a row. @module */
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { differences, type Edge, type Row } from './rows.ts'

const TABLE: readonly Row[] = [
  ['3', 'app.connected', 'NEW none *', 'CONNECTED = =', 'hello', 'end 5 s'],
  ['3', 'time passes', 'NEW|CONNECTED * *', 'over', '-', '-'],
]
const STATES = ['NEW none plain', 'CONNECTED none plain', 'over']
const RIGHT: readonly Edge[] = [
  {
    from: 'NEW none plain',
    trigger: 'app.connected',
    to: 'CONNECTED none plain',
    effects: 'hello',
    times: 'end 5 s',
  },
  { from: 'CONNECTED none plain', trigger: 'app.connected', to: null, effects: '-', times: '-' },
  ...STATES.map(from => ({
    from,
    trigger: 'time passes',
    to: from === 'over' ? null : 'over',
    effects: '-',
    times: '-',
  })),
]

/** The right edges, with the first one replaced. */
const instead = (columns: Partial<Edge>): Edge[] =>
  RIGHT.map((edge, i) => (i === 0 ? { ...edge, ...columns } : edge))

const Rows = suite('tables of the specification: differences')

Rows('a chart that equals the table has no differences', () => {
  assert.equal(differences(TABLE, RIGHT), [])
})

const CONNECTS = 'NEW none plain | app.connected'
const DIFFERENT: Readonly<Record<string, readonly [Edge[], string]>> = {
  'an edge that the chart lacks': [
    instead({ to: null }),
    `missing: ${CONNECTS} | CONNECTED none plain | hello | end 5 s`,
  ],
  'an edge that the table lacks': [
    [...RIGHT, { from: 'over', trigger: 'cancelled', to: 'over', effects: '-', times: '-' }],
    'too many: over | cancelled | over | - | -',
  ],
  'an edge to another state': [
    instead({ to: 'over' }),
    `other to: ${CONNECTS}: expected CONNECTED none plain, got over`,
  ],
  'an edge with another effect': [
    instead({ effects: '-' }),
    `other effects: ${CONNECTS}: expected hello, got -`,
  ],
  'an edge with another deadline': [
    instead({ times: 'end 6 s' }),
    `other times: ${CONNECTS}: expected end 5 s, got end 6 s`,
  ],
}
for (const [title, [edges, row]] of Object.entries(DIFFERENT))
  Rows(`${title} is one row`, () => {
    assert.equal(differences(TABLE, edges), [row])
  })

Rows('two edges with the same words are both shown, because the words lack the fact that decides', () => {
  const other = {
    from: 'CONNECTED none plain',
    trigger: 'app.connected',
    to: 'over',
    effects: '-',
    times: '-',
  }
  const [odd] = differences(TABLE, [...RIGHT, other])
  const refused = 'CONNECTED none plain | app.connected |  | - | -'
  assert.is(odd, `two edges: ${refused} and CONNECTED none plain | app.connected | over | - | -`)
})

Rows('a row that matches no state, and two rows about one edge, are shown', () => {
  const lost: Row = ['3', 'cancelled', 'PAIRED * *', 'over', '-', '-']
  const again: Row = ['3', 'time passes', 'NEW * *', 'over', '-', '-']
  assert.equal(differences([...TABLE, lost, again], RIGHT), [
    'no such state: 3 | cancelled | PAIRED * * | over | - | -',
    'two rows: NEW none plain | time passes',
  ])
})

Rows.run()
