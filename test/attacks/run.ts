/** `npm run attack`: tries the attacks of `library/`, and prints what each gained. It starts servers of this project for each. It ends with 1 when one gained something, or
 *  failed.
 *
 *  * Words choose the attacks whose names contain one of them.
 *  * `--tenth N` tries a tenth of the attacks, chosen by the seed N.
 *  * `--server URL` attacks the session server at this address instead. Attacks that need a server of this project are left out. `--profile`, `--auth-method`,
 *    `--key`, `--name`, `--wallet` and `--schemes-path` are those of `svc conformance`. @module */
import { Command } from 'commander'
import { addAuthFlags } from '../../cli/request/flags.ts'
import { runProgram, WrongOptionError, wholeNumber } from '../program.ts'
import { ATTACKS } from './library.ts'
import { type Flags, tenthOf, tryAttacks } from './try-attacks.ts'

const command = addAuthFlags(new Command('npm run attack --'))
  .argument('[words...]')
  .option('--server <URL>', 'session server to attack')
  .option('--wallet <DIR>', 'wallet of the attacker')
  .option('--tenth <SEED>', 'a tenth of the attacks')
  .parse()

await runProgram('attack', async () => {
  const flags = command.opts<Flags & { readonly tenth?: string }>()
  const named = ATTACKS.filter(
    ({ name }) => command.args.length === 0 || command.args.some(word => name.includes(word)),
  )
  const possible = named.filter(({ on }) => on === 'session server' || flags.server === undefined)
  const chosen =
    flags.tenth === undefined ? possible : tenthOf(possible, wholeNumber('--tenth', flags.tenth, 0))
  if (chosen.length === 0)
    throw new WrongOptionError(
      `expected a part of a name such as ${ATTACKS[0]?.name}, got ${command.args.join(' ')}`,
    )
  let [succeeded, failed] = [0, 0]
  let leftOut = named.length - chosen.length
  await tryAttacks(chosen, flags, ({ attack: { name, gains }, gained, untried, error }) => {
    if (gained !== null) succeeded += 1
    if (untried !== null) leftOut += 1
    if (error !== null) failed += 1
    if (error !== null) console.log(`failed   ${error.message}`)
    else if (untried !== null) console.log(`left out ${name}: ${untried}`)
    else console.log(gained === null ? `held     ${name}: ${gains}` : `GAINED   ${name}: ${gained}`)
  })
  const ended = named.length - leftOut - failed
  console.log(`${ended} attacks, ${succeeded} gained something, ${failed} failed, ${leftOut} left out`)
  process.exitCode = succeeded + failed > 0 ? 1 : 0
})
