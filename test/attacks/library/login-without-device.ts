/** The previous protocol knew no device. A thief of the PIN uses its calls for an account that has a device. @module */
import { appJwt, newDevice } from '../../accounts/jwts.ts'
import { PIN, WRONG_PIN } from '../../faults/keyshare/app.ts'
import type { Attack } from '../attack.ts'
import { hasToken, post, startKeyshare, userOf } from '../keyshares.ts'

export const attack: Attack = {
  name: 'login-without-device',
  gains: 'a login, a new PIN or a new device with the PIN alone',
  cites: 'spec/interface#9.5',
  on: 'own servers',
  async run(own) {
    const servers = await startKeyshare(own)
    const { userName: id } = await userOf(servers)
    if (hasToken(await post(servers, '/users/verify/pin', { id, pin: PIN }))) return 'a login'
    const device = newDevice()
    const publickey = Buffer.from(device.der).toString('base64')
    const publickey_registration_jwt = await appJwt({ id, pin: PIN, publickey }, device)
    const body = { publickey_registration_jwt }
    if (hasToken(await post(servers, '/users/register_publickey', body))) return 'a new device'
    const change = { id, oldpin: PIN, newpin: WRONG_PIN }
    return hasToken(await post(servers, '/users/change/pin', change)) ? 'a new PIN' : null
  },
}
