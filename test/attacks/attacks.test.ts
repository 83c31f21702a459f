/** A tenth of the attacks, by the seed in `ATTACKS_SEED`, and the attacks on what was found last. All of them: `npm run attack`. */
import { randomInt } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { numberGiven } from '../number-given.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { ATTACKS } from './library.ts'
import { tenthOf, tryAttacks } from './try-attacks.ts'

const Attacks = suite('attacks: none gains what it is for')
const seed = numberGiven('ATTACKS_SEED', randomInt(1_000), 0)
const flags = { profile: 'svc', authMethod: 'none' } as const

for (const attack of tenthOf(ATTACKS, seed))
  Attacks(`ATTACKS_SEED=${seed}: ${attack.name}`, async () => {
    for await (const { gained } of tryAttacks([attack], flags)) assert.is(gained, null, attack.gains)
  })

Attacks('the list has every file that holds an attack, in alphabetical order', () => {
  const texts = readdirSync(join(PROJECT, 'test/attacks/library')).filter(
    name => name !== 'hash-of-a-value.ts',
  )
  assert.equal(
    ATTACKS.map(({ name }) => `${name}.ts`),
    texts,
  )
})

Attacks.run()
