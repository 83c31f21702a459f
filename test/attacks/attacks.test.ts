/** The attacks in `ALWAYS`, and a tenth of all attacks that measure no time, chosen by the seed in `ATTACKS_SEED`. `npm run attack` tries all of them. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { seedGiven } from '../number-given.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { ATTACKS } from './library.ts'
import { tenthOf, tryAttacks } from './try-attacks.ts'

const Attacks = suite('attacks: none succeeds')
const seed = seedGiven('ATTACKS_SEED', 1_000)
const flags = { profile: 'svc', authMethod: 'none' } as const

/** No other test notices a node that calls without the guard of `outgoing_hosts`. */
const ALWAYS = ['call-inside']

const always = ATTACKS.filter(({ name }) => ALWAYS.includes(name))
const untimed = ATTACKS.filter(({ isTimed }) => !isTimed)
for (const attack of new Set([...always, ...tenthOf(untimed, seed)]))
  Attacks(`ATTACKS_SEED=${seed}: ${attack.name}`, async () => {
    await tryAttacks([attack], flags, ({ gained, error }) => {
      if (error !== null) throw error
      assert.is(gained, null, attack.gains)
    })
  })

Attacks('the list has every file that holds an attack, in alphabetical order', () => {
  const files = readdirSync(join(PROJECT, 'test/attacks/library')).sort()
  assert.equal(
    ATTACKS.map(({ name }) => `${name}.ts`),
    files,
  )
})

Attacks.run()
