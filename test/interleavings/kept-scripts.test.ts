/** Scripts that once found a bug, or that reach a state that random scripts rarely reach. */
import { suite } from '../suite.ts'
import { play, type Script } from './script.ts'

const PLAIN = { hasNextSession: false, issues: false }

const KEPT: Readonly<Record<string, Script>> = {
  'a call after a standstill has its whole time': {
    kind: PLAIN,
    moments: [['nobody does anything for 31 s', 'A: a stranger submits']],
  },
  'reads of the store that come back in another order change nothing of the order of events': {
    kind: PLAIN,
    moments: [
      ['B: the frontend follows'],
      ['A: the frontend turns pairing on'],
      ['B: the store does not answer'],
      ['A: the app connects'],
      ['A: the frontend completes pairing'],
      ['B: the store answers what was asked last'],
      ['B: the store answers everything again'],
    ],
  },
  'the commit that voids a claim seems to fail: whoever waits is answered within a second': {
    kind: PLAIN,
    moments: [
      ['A: the app connects'],
      ['B: the app submits one'],
      ['A: the next commit is made, and fails'],
      ['A: the app submits one', 'B: the app submits one'],
      ['B: others take it for dead'],
      ['A: the app submits two'],
      ['1 s passes'],
    ],
  },
  'both processes are killed: the next one finds the deadline in the store': {
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
  'a worker dies when the stay is long over, which its claim had kept back: that is due at once': {
    kind: PLAIN,
    moments: [
      ['A: the app connects'],
      ['A: the app submits one'],
      ['a minute passes'],
      ['16 s pass', 'the worker dies'],
    ],
  },
  'the outcome of a claim is stored long after it came: a submission that was made meanwhile is answered with it':
    {
      kind: PLAIN,
      aheadMs: { A: 0, B: 5_000 },
      moments: [
        ['A: the app connects'],
        ['B: the app submits one'],
        ['B: the store does not answer'],
        ['the work that began first ends well'],
        ['16 s pass'],
        ['A: the app submits one'],
      ],
    },
  'the retention ends while nobody does anything': {
    kind: PLAIN,
    moments: [
      ['A: the requestor cancels'],
      ['a minute passes'],
      ['16 s pass'],
      ['16 s pass'],
      ['nobody does anything for 31 s'],
    ],
  },
  'a session is forgotten at once after its end, which its streams still tell': {
    kind: PLAIN,
    moments: [
      ['A: the frontend turns pairing on'],
      ['A: the app connects'],
      ['B: the frontend completes pairing'],
      ['nobody does anything for 31 s'],
      ['A: the frontend follows'],
      ['A: the app submits two', 'the worker dies'],
      ['a minute passes', 'nobody does anything for 31 s'],
      ['nobody does anything for 31 s'],
      ['nobody does anything for 31 s'],
    ],
  },
  'a commit is on its way while its process is killed: the other node answers as it was committed': {
    kind: { hasNextSession: true, issues: true },
    moments: [
      ['A: the requestor follows', 'B: the frontend follows'],
      ['A: the app connects'],
      ['A: the app submits one', 'B: the app submits one'],
      ['the work that began last ends well'],
      ['the work that began last ends well'],
      ['A: the store does not answer', 'the work that began last ends well'],
      ['A: the store answers what was asked first'],
      ['A: the store answers what was asked first'],
      ['A: the process is killed', 'B: the app submits one'],
      ['A: the process starts again'],
      ['A: the app submits one', 'B: the requestor reads the result'],
    ],
  },
}

const Kept = suite('scripts that were kept')

for (const [title, script] of Object.entries(KEPT)) Kept(title, async () => void (await play(script)))

Kept.run()
