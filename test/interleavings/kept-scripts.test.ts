/** Scripts that once found a bug, or that reach a state that random scripts rarely reach. */
import { suite } from '../suite.ts'
import { play, type Script } from './script.ts'

const PLAIN = { hasNextSession: false, issues: false }

const KEPT: Readonly<Record<string, Script>> = {
  'the time limit of a call that arrives after a pause of the processes begins after the pause': {
    kind: PLAIN,
    moments: [['both processes pause for 31 s', 'A: a stranger submits']],
  },
  'reads that the store answers out of order do not change the order of events': {
    kind: PLAIN,
    moments: [
      ['B: the frontend follows'],
      ['A: the frontend turns pairing on'],
      ['B: the store does not answer'],
      ['A: the app connects'],
      ['A: the frontend completes pairing'],
      ['B: the store answers the newest request'],
      ['B: the store answers all requests again'],
    ],
  },
  'the commit that voids a claim seems to fail: waiting callers are answered within a second': {
    kind: PLAIN,
    moments: [
      ['A: the app connects'],
      ['B: the app submits one'],
      ['A: the next commit is made, but reports an error'],
      ['A: the app submits one', 'B: the app submits one'],
      ['B: the other nodes consider it dead'],
      ['A: the app submits two'],
      ['1 s passes'],
    ],
  },
  'both processes are killed: the next process reads the deadline from the store': {
    kind: PLAIN,
    moments: [
      ['A: the app connects'],
      ['A: the app submits one'],
      ['A: the process is killed', 'B: the process is killed'],
      ['B: the process starts again'],
      ['a minute passes'],
      ['10 s pass'],
    ],
  },
  'a worker dies long after the deadline that its claim suspended: the session times out at once': {
    kind: PLAIN,
    moments: [
      ['A: the app connects'],
      ['A: the app submits one'],
      ['a minute passes'],
      ['16 s pass', 'the worker dies'],
    ],
  },
  'an outcome is stored long after the end of the work: a submission from the time between gets that outcome':
    {
      kind: PLAIN,
      aheadMs: { A: 0, B: 5_000 },
      moments: [
        ['A: the app connects'],
        ['B: the app submits one'],
        ['B: the store does not answer'],
        ['the oldest work succeeds'],
        ['16 s pass'],
        ['A: the app submits one'],
      ],
    },
  'the retention ends while both processes pause': {
    kind: PLAIN,
    moments: [
      ['A: the requestor cancels'],
      ['a minute passes'],
      ['16 s pass'],
      ['16 s pass'],
      ['both processes pause for 31 s'],
    ],
  },
  'a session is deleted right after its end, and its streams still send the end': {
    kind: PLAIN,
    moments: [
      ['A: the frontend turns pairing on'],
      ['A: the app connects'],
      ['B: the frontend completes pairing'],
      ['both processes pause for 31 s'],
      ['A: the frontend follows'],
      ['A: the app submits two', 'the worker dies'],
      ['a minute passes', 'both processes pause for 31 s'],
      ['both processes pause for 31 s'],
      ['both processes pause for 31 s'],
    ],
  },
  'a process is killed during its commit: the other node answers from the committed session': {
    kind: { hasNextSession: true, issues: true },
    moments: [
      ['A: the requestor follows', 'B: the frontend follows'],
      ['A: the app connects'],
      ['A: the app submits one', 'B: the app submits one'],
      ['the newest work succeeds'],
      ['the newest work succeeds'],
      ['A: the store does not answer', 'the newest work succeeds'],
      ['A: the store answers the oldest request'],
      ['A: the store answers the oldest request'],
      ['A: the process is killed', 'B: the app submits one'],
      ['A: the process starts again'],
      ['A: the app submits one', 'B: the requestor reads the result'],
    ],
  },
}

const Kept = suite('scripts that were kept')

for (const [title, script] of Object.entries(KEPT)) Kept(title, async () => void (await play(script)))

Kept.run()
