/** A writer of the database of a keyshare server moves sealed secrets and plain columns between rows, and back in time: to log in as another user, and to guess a PIN
 *  more often than three times. @module */
import { appJwt } from '../../accounts/jwts.ts'
import { type App, call, login, PIN, registered, WRONG_PIN } from '../../faults/keyshare/app.ts'
import type { Attack } from '../attack.ts'
import { type Columns, type EditedKeyshare, editedKeyshare } from '../edited-keyshare.ts'

type Move = (server: EditedKeyshare, user: App) => Promise<boolean>

/** Each function returns true if the attack in its name succeeds. */
const MOVES: Readonly<Record<string, Move>> = {
  async 'a login as another user, with the secrets and the device of the attacker'(server, user) {
    const attacker = await registered(server, true)
    const { record = null } = await server.read(attacker.userName)
    await server.write(user.userName, { record })
    return logsIn(server, { ...attacker, userName: user.userName })
  },
  async 'a login with the PIN from before a change'(server, user) {
    const { record = null, token_id_hash = null } = await server.read(user.userName)
    const claims = { id: user.userName, oldpin: PIN, newpin: WRONG_PIN }
    const body = { change_pin_jwt: user.device && (await appJwt(claims, user.device)) }
    const { status } = await call(server, '/users/change/pin', { body })
    if (status !== 200) throw new Error(`change of PIN: expected status 200, got ${status}`)
    await server.write(user.userName, { record, token_id_hash })
    return logsIn(server, user)
  },
  async 'guesses without end, by an earlier counter of wrong PINs'(server, user) {
    const { snapshot = null } = await server.read(user.userName)
    return guessesAgain(server, user, { attempts: 0, blocked_until: 0, snapshot })
  },
  'guesses without end, by an earlier end of the block': (server, user) =>
    guessesAgain(server, user, { blocked_until: 1 }),
}

export const attack: Attack = {
  name: 'record-moved',
  gains: 'a login as another user, or more than three guesses of a PIN',
  cites: 'spec/keyshare-server#11.6',
  on: 'own servers',
  async run(own) {
    const server = await editedKeyshare(own)
    const gained: string[] = []
    for (const [what, move] of Object.entries(MOVES))
      if (await move(server, await registered(server, true))) gained.push(what)
    return gained.length === 0 ? null : gained.join('; ')
  },
}

/** @returns false also if the server refuses the account */
async function logsIn(server: EditedKeyshare, app: App): Promise<boolean> {
  return (await outcomeOf(server, app, PIN)) === 'success'
}

async function guessesAgain(server: EditedKeyshare, user: App, columns: Columns): Promise<boolean> {
  for (let i = 0; i < 3; i++) await login(server, user, WRONG_PIN)
  if ((await outcomeOf(server, user, WRONG_PIN)) !== 'error')
    throw new Error('expected a block after three wrong PINs, got none')
  await server.write(user.userName, columns)
  const outcome = await outcomeOf(server, user, WRONG_PIN)
  return outcome === 'failure' || outcome === 'success' || (await isComparedNow(server, user))
}

/** The answer to an attempt that begins the next block is the same as that of a refused attempt. So the counter of the account decides. */
async function isComparedNow(server: EditedKeyshare, { userName }: App): Promise<boolean> {
  return Number((await server.read(userName)).attempts) > 3
}

async function outcomeOf(server: EditedKeyshare, app: App, pin: string): Promise<string> {
  return login(server, app, pin).then(
    ({ status }) => status,
    () => 'refused',
  )
}
