/** The keyshare server's half of proofs, calculated in this thread and in worker threads. Both give the known answers of spec/keyshare-server#8.7, in the order of
 *  the request. @module */
import * as assert from 'uvu/assert'
import { type KeysharePowers, keysharePowers } from '../../actors/workers/keyshare-powers.ts'
import { createProofPool, type ProofPool } from '../../actors/workers/proof-pool.ts'
import { TurnBudget } from '../../actors/workers/turn-budget.ts'
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { fromBase64, toBase64 } from '../../crypto/bytes.ts'
import { hashUserInput, type UserInput } from '../../crypto/keyshare/user-input.ts'
import { suite } from '../suite.ts'

const arithmetic = chooseArithmetic('auto')

const n = (2n ** 127n - 1n) * (2n ** 89n - 1n)
const mk = 1234567890123456789012345678901234567890n
const wk = 987654321098765432109876543210987654321n
const KEY = { n, R: [16n, 3n, 5n] }
const P = fromBase64('5/8/8/+f/P/P/n9//////jABgBgAwAYAcAMB')
const Pcommit = fromBase64('AYAcAOAGADADgBv///////z/5/4/8/+f+P/I')
const INPUT: readonly UserInput[] = [
  {
    key: { issuer: 'test.test', counter: 3 },
    val: fromBase64('gAQAYAIAEACAC////////v/3/7/7/9/+/+gA'),
    comm: fromBase64('/v/3/3/7/9/+/+9//////gIAEAGACABAAgAh'),
    otherComms: [],
  },
  { key: null, val: 424242n, comm: 131313n, otherComms: [7n] },
]

const Powers = suite('powers of the keyshare server')

async function withPool(
  name: 'auto' | 'bigint' | 'openssl',
  use: (pool: ProofPool) => Promise<void>,
): Promise<void> {
  const pool = createProofPool({ arithmetic: name, threads: 2 })
  try {
    await use(pool)
  } finally {
    await pool.close()
  }
}

for (const name of ['auto', 'bigint'] as const) {
  Powers(`the power of each key, under its name, in the order of the request (${name})`, async () => {
    const other = { n: 2n ** 127n - 1n, R: [3n] }
    const named = [
      { id: 'a', key: KEY },
      { id: 'b', key: other },
      { id: 'c', key: KEY },
    ]
    await withPool(name, async ({ keyshare }) => {
      for (const [secret, power] of [
        [mk, P],
        [wk, Pcommit],
      ] as const)
        for (const count of [3, 2]) {
          const powers = await keyshare.secretPowers(named.slice(0, count), secret)
          assert.equal(
            powers.map(({ id, power }) => [id, power]),
            [
              ['a', power],
              ['b', arithmetic.power(3n, secret, other.n)],
              ['c', power],
            ].slice(0, count),
          )
        }
      assert.equal(await keyshare.secretPowers([], mk), [])
    })
  })

  Powers(
    `the challenge is calculated over the input that the app committed to, and over no other input (${name})`,
    async () => {
      const hashedComms = hashUserInput(INPUT)
      const keys = new Map([['test.test-3', KEY]])
      const facts = { input: INPUT, context: 1n, nonce: 123456789n }
      await withPool(name, async ({ keyshare }) => {
        for (const [isSignature, c] of [
          [false, 'J51Lb+qi4x2JNaPV/OwEwTDpLE4P7k4pzF2/kmqiKso='],
          [true, 'JhqlCpibInwdU98S1I09R6NvNvLothmp3cSPaImEqK8='],
        ] as const) {
          const asked = { hashedComms, wk, keys, facts: { ...facts, isSignature } }
          assert.is(toBase64((await keyshare.challenge(asked)) ?? 0n), c)
          const input = INPUT.map((each, i) => (i === 0 ? { ...each, comm: each.comm + 1n } : each))
          assert.is(await keyshare.challenge({ ...asked, facts: { ...asked.facts, input } }), null)
        }
      })
    },
  )
}

Powers(
  'a key that the input names and the caller did not pass is an error, and gives no other challenge',
  async () => {
    await withPool('auto', async ({ keyshare }) => {
      const facts = { input: INPUT, context: 1n, nonce: 1n, isSignature: false }
      const asked = { hashedComms: hashUserInput(INPUT), wk, keys: new Map(), facts }
      const error = await keyshare.challenge(asked).catch((error: unknown) => error)
      assert.match(String(error), /expected every key of its input/)
    })
  },
)

Powers(
  'up to two keys of 2048 bits are calculated in this thread; more keys, longer keys and BigInt in worker threads',
  async () => {
    const keyOf = (bits: bigint) => ({ key: { n: 2n ** bits - 1n, R: [3n] } })
    const [short, long] = [keyOf(2_048n), keyOf(2_049n)]
    const countOf = async (
      named: Parameters<KeysharePowers['secretPowers']>[0],
      name: Arithmetic['name'],
    ) => {
      const kinds: string[] = []
      const { secretPowers } = keysharePowers({
        run: () => Promise.reject(new Error('no thread')),
        work: async pieces => {
          kinds.push(...pieces.map(({ kind }) => kind))
          return []
        },
        inTurn: (ms, work) => new TurnBudget().run(ms, work),
        arithmetic: { name, secretPower: () => 5n },
      })
      return [(await secretPowers(named, mk)).length, kinds.length]
    }
    assert.equal(await countOf([short, short], 'openssl'), [2, 0])
    assert.equal(await countOf([short, short, short], 'openssl'), [0, 3])
    assert.equal(await countOf([long], 'openssl'), [0, 1])
    assert.equal(await countOf([short], 'bigint'), [0, 1])
  },
)

Powers('calculations in this thread block the event loop no longer than the budget of a turn', async () => {
  const turns = new TurnBudget()
  let calculated = 0
  const { secretPowers } = keysharePowers({
    run: () => Promise.reject(new Error('no thread')),
    work: async () => [],
    inTurn: (ms, work) => turns.run(ms, work),
    arithmetic: {
      name: 'openssl',
      secretPower: () => {
        calculated += 1
        return 5n
      },
    },
  })
  const login = () => secretPowers([{ key: KEY }, { key: KEY }], mk)
  const logins = Promise.all(Array.from({ length: 20 }, login))
  await Promise.resolve()
  assert.is(calculated, 0)
  await new Promise(setImmediate)
  assert.ok(calculated > 0 && calculated <= 10, `in 5 ms: ${calculated}`)
  await logins
  assert.is(calculated, 40)
})

Powers('the calculations of all callers of a pool share the budget of a turn', () =>
  withPool('openssl', async ({ keyshare }) => {
    const { secretPower } = arithmetic
    let inThisTurn = 0
    let most = 0
    const counted: typeof secretPower = (...input) => {
      inThisTurn += 1
      most = Math.max(most, inThisTurn)
      if (inThisTurn === 1)
        setImmediate(() => {
          inThisTurn = 0
        })
      return secretPower(...input)
    }
    Object.assign(arithmetic, { secretPower: counted })
    try {
      await Promise.all(Array.from({ length: 40 }, () => keyshare.secretPowers([{ key: KEY }], mk)))
    } finally {
      Object.assign(arithmetic, { secretPower })
    }
    assert.ok(most > 0 && most <= 10, `${most} in one turn`)
  }),
)

Powers('the work on a challenge is named after its longest key', async () => {
  const kinds: string[] = []
  const { challenge } = keysharePowers({
    run: () => Promise.reject(new Error('no thread')),
    work: async pieces => {
      kinds.push(...pieces.map(({ kind }) => kind))
      return []
    },
    inTurn: (ms, work) => new TurnBudget().run(ms, work),
    arithmetic: { name: 'openssl', secretPower: () => 5n },
  })
  const keys = new Map([1_024n, 2_048n, 512n].map(bits => [`${bits}`, { n: 2n ** bits - 1n, R: [3n] }]))
  const facts = { input: INPUT, context: 1n, nonce: 1n, isSignature: false }
  await challenge({ hashedComms: hashUserInput(INPUT), wk, keys, facts })
  assert.equal(kinds, ['keyshareChallenge 2048'])
})

Powers('a closed pool calculates nothing', async () => {
  const pool = createProofPool({ arithmetic: 'auto', threads: 1 })
  await pool.close()
  const error = await pool.keyshare.secretPowers([{ key: KEY }], mk).catch((error: unknown) => error)
  assert.match(String(error), /the proof pool is closed/)
})

Powers.run()
