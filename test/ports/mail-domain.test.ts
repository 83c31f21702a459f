/** Whether a domain accepts mail, by the answers of a name server (spec/keyshare-server#13.2, #21 property 25). @module */
import * as assert from 'uvu/assert'
import { type Dns, domainCheck } from '../../ports/mail-domain.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { settle } from '../actors/node.ts'
import { suite } from '../suite.ts'

/** Names with their records; a text is an error code. */
type Zone = Readonly<
  Record<string, { readonly mx?: readonly string[] | string; readonly a?: string; readonly aaaa?: string }>
>

function failure(code: string): Error {
  return Object.assign(new Error(code), { code })
}

function dnsOf(zone: Zone): Dns {
  const addresses = (kind: 'a' | 'aaaa') => async (name: string) => {
    if (name === '') throw failure('EBADNAME') // an invalid name is not looked up
    const found = zone[name]
    if (found === undefined) throw failure('ENOTFOUND')
    const value = found[kind] ?? 'ENODATA'
    if (value.startsWith('E')) throw failure(value)
    return [value]
  }
  return {
    async resolveMx(name) {
      const found = zone[name]
      if (found === undefined) throw failure('ENOTFOUND')
      const hosts = found.mx ?? 'ENODATA'
      if (typeof hosts === 'string') throw failure(hosts)
      return hosts.map((exchange, priority) => ({ exchange, priority }))
    },
    resolve4: addresses('a'),
    resolve6: addresses('aaaa'),
  }
}

const CASES: readonly (readonly [string, Zone, string])[] = [
  [
    'its mail host has an address',
    { 'd.example': { mx: ['m.example'] }, 'm.example': { a: '192.0.2.1' } },
    'takes mail',
  ],
  [
    'its mail host has only an IPv6 address',
    { 'd.example': { mx: ['m.example'] }, 'm.example': { aaaa: '2001:db8::1' } },
    'takes mail',
  ],
  [
    'the second mail host has an address',
    { 'd.example': { mx: ['gone.example', 'm.example'] }, 'm.example': { a: '192.0.2.1' } },
    'takes mail',
  ],
  ['DNS cannot hold its name', { 'd.example': { mx: 'EBADNAME' } }, 'takes none'],
  ['no mail host has an address', { 'd.example': { mx: ['gone.example'], a: '192.0.2.1' } }, 'takes none'],
  ['its mail host has no address', { 'd.example': { mx: ['m.example'] }, 'm.example': {} }, 'takes none'],
  ['it has no mail host, but an address', { 'd.example': { a: '192.0.2.1' } }, 'takes mail'],
  [
    'it has no mail host, but an IPv6 address',
    { 'd.example': { mx: [], aaaa: '2001:db8::1' } },
    'takes mail',
  ],
  ['it has neither a mail host nor an address', { 'd.example': {} }, 'takes none'],
  ['its record says that it takes no mail', { 'd.example': { mx: [''], a: '192.0.2.1' } }, 'takes none'],
  ['there is no such domain', {}, 'takes none'],
  ['the name server refuses', { 'd.example': { mx: 'EREFUSED', a: '192.0.2.1' } }, 'unknown'],
  ['the name server is not reached', { 'd.example': { mx: 'ETIMEOUT' } }, 'unknown'],
  [
    'the name server fails for the mail host',
    { 'd.example': { mx: ['m.example'] }, 'm.example': { a: 'ESERVFAIL' } },
    'unknown',
  ],
]

const Domain = suite('mail: whether a domain accepts mail')

for (const [what, zone, state] of CASES)
  Domain(`${what}: ${state}`, async () => {
    assert.is(await domainCheck(createSimulatedClock(1_000), dnsOf(zone))('d.example'), state)
  })

Domain('a query without an answer ends after 3 s', async () => {
  const clock = createSimulatedClock(1_000)
  const silent = () => new Promise<never>(() => {})
  const asked = domainCheck(clock, { resolveMx: silent, resolve4: silent, resolve6: silent })('d.example')
  clock.advance(3_000)
  assert.is(await asked, 'unknown')
})

Domain('only the first five mail hosts of a domain are looked up', async () => {
  const hosts = Array.from({ length: 9 }, (_, i) => `m${i}.example`)
  const asked: string[] = []
  const dns = dnsOf({ 'd.example': { mx: hosts } })
  const check = domainCheck(createSimulatedClock(1_000), {
    ...dns,
    resolve4: name => {
      asked.push(name)
      return dns.resolve4(name)
    },
  })
  assert.is(await check('d.example'), 'takes none')
  assert.equal(asked, hosts.slice(0, 5))
})

/** Name servers that answer when the test says so. */
function heldDns() {
  const asked: string[] = []
  const answers: (() => void)[] = []
  const hold = (name: string) =>
    new Promise<never>((_, reject) => {
      asked.push(name)
      answers.push(() => reject(failure('ENOTFOUND')))
    })
  return { asked, answers, dns: { resolveMx: hold, resolve4: hold, resolve6: hold } }
}

Domain('at most 50 domains are looked up at once, also after the 3 s of a query have elapsed', async () => {
  const clock = createSimulatedClock(1_000)
  const { asked, answers, dns } = heldDns()
  const check = domainCheck(clock, dns)
  const names = Array.from({ length: 60 }, (_, i) => `d${i}.example`)
  const checked = names.map(check)
  assert.equal(asked, names.slice(0, 50))
  assert.equal(
    await Promise.all(checked.slice(50)),
    names.slice(50).map(() => 'unknown'),
  )
  clock.advance(3_000)
  assert.is(await checked[0], 'unknown')
  assert.is(await check('late.example'), 'unknown')
  for (const answer of answers.splice(0, 1)) answer()
  await settle()
  const late = check('late.example')
  for (const answer of answers) answer()
  assert.is(await late, 'takes none')
  assert.equal(asked, [...names.slice(0, 50), 'late.example'])
})

Domain('calls about one domain share its queries, and a later call asks again', async () => {
  const { asked, answers, dns } = heldDns()
  const check = domainCheck(createSimulatedClock(1_000), dns)
  const both = [check('d.example'), check('d.example')]
  for (const answer of answers) answer()
  assert.equal([await Promise.all(both), asked], [['takes none', 'takes none'], ['d.example']])
  const again = check('d.example')
  answers.at(-1)?.()
  assert.equal([await again, asked.length], ['takes none', 2])
})

Domain.run()
