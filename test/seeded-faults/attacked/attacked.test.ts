/** Each attack gains something from a server with the fault that it looks for. A tenth of the faults, chosen by the seed in `FAULTS_SEED`; `FAULTS=all` for all, or
 *  `FAULTS=jwt,pin` for those whose attacks have one of these words in their names. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { ATTACKS } from '../../attacks/library.ts'
import { startProgram } from '../../cli/run-svc.ts'
import { shuffledBySeed } from '../../mutants/seed.ts'
import { Workshop } from '../../mutants/workshop.ts'
import { seedGiven } from '../../number-given.ts'
import { suite } from '../../suite.ts'
import { staleTexts } from '../stale-texts.ts'
import type { AttackedFault } from './attacked-fault.ts'
import { ATTACKED_FAULTS } from './attacked-faults.ts'

const Attacked = suite('faults that attacks find')
const { FAULTS: wanted } = process.env
const seed = seedGiven('FAULTS_SEED', 1_000)

const tenth = shuffledBySeed(ATTACKED_FAULTS, ({ title }) => title, seed).slice(
  0,
  Math.ceil(ATTACKED_FAULTS.length / 10),
)
const named = ATTACKED_FAULTS.filter(
  ({ attack }) => wanted === 'all' || wanted?.split(',').some(word => attack.includes(word)),
)

/** Puts the fault into a copy of the program, and runs the attack in it.
 *  @returns the output of the attack */
async function attacked({ attack, edits }: AttackedFault): Promise<string> {
  using workshop = new Workshop(false)
  for (const [file, right, wrong] of edits) {
    const parts = readFileSync(join(workshop.folder, file), 'utf8').split(right)
    assert.is(parts.length, 2, `${file}: expected once: ${right}`)
    workshop.replace(file, parts.join(wrong))
  }
  const program = join(workshop.folder, 'test/attacks/run.js')
  const { stdout, stderr } = await startProgram(process.execPath, [program, attack], {}).finished
  return stdout + stderr
}

if (wanted !== undefined && named.length === 0)
  throw new Error(`FAULTS: expected a part of the name of an attack with a fault, got "${wanted}"`)
for (const fault of wanted === undefined ? tenth : named)
  Attacked(`FAULTS_SEED=${seed}: ${fault.title}: ${fault.attack}`, async () => {
    const text = await attacked(fault)
    assert.ok(text.includes(`GAINED   ${fault.attack}: `), text)
    if (wanted !== undefined)
      console.log(`${fault.title}: ${text.split('\n').find(line => /^GAINED/.test(line))}`)
  })

Attacked('each fault names an existing attack', () => {
  const names = ATTACKS.map(({ name }) => name)
  const unknown = ATTACKED_FAULTS.filter(({ attack }) => !names.includes(attack))
  assert.equal(unknown, [])
})

Attacked('the text that each fault changes occurs once', () => {
  const texts = ATTACKED_FAULTS.flatMap(({ title, edits }) =>
    edits.map(([file, right]) => ({ title, file, right })),
  )
  assert.equal(staleTexts(texts), [])
})

/** The attack whose check is a line of deploy/nginx.conf. No copy of the program contains that file. */
const WITHOUT_FAULT = ['slow-behind-proxy']

Attacked('each attack has a fault', () => {
  const found = ATTACKED_FAULTS.map(({ attack }) => attack)
  const without = ATTACKS.map(({ name }) => name).filter(name => !found.includes(name))
  assert.equal(without, WITHOUT_FAULT)
})

Attacked.run()
