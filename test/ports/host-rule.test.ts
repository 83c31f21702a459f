/** The option `outgoing_hosts`: which hosts this server calls on behalf of requestors. */
import * as assert from 'uvu/assert'
import { hostRule, mistakeInHosts } from '../../ports/host-rule.ts'
import { suite } from '../suite.ts'

const Rule = suite('hosts that requestors may let this server call')

const ruleOf = (...entries: string[]) => hostRule(entries)

const INNER = [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  '::ffff:a00:1',
  '0:0:0:0:0:ffff:7f00:1',
  '::127.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b:1::1',
  '2001::1',
  '2002:a00:1::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
]
const OUTER = [
  '9.255.255.255',
  '11.0.0.1',
  '100.63.255.255',
  '100.128.0.0',
  '126.0.0.1',
  '169.253.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '192.0.1.1',
  '192.169.0.1',
  '198.17.0.1',
  '198.20.0.1',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '2001:4860:4860::8888',
  '2003::1',
  '2a00:1450::1',
]

Rule('public allows every address that the Internet reaches, and no other', () => {
  const rule = ruleOf('public')
  for (const address of INNER) assert.is(rule.allows(address), false, address)
  for (const address of OUTER) assert.is(rule.allows(address), true, address)
  assert.is(rule.allows('no address'), false)
  for (const host of ['[::1]', '127.0.0.1']) assert.is(rule.mayCall(host), false, host)
  assert.is(rule.mayCall('[2a00:1450::1]'), true)
})

Rule('a rule of addresses does not contain a name, but allows the call: the address then decides', () => {
  for (const rule of [ruleOf('public'), ruleOf('10.1.0.0/16')])
    assert.equal([rule.mayCall('shop.example'), rule.names('shop.example')], [true, false])
})

Rule('a rule may contain a host, or the subdomains of a domain; names may have a dot at the end', () => {
  const rule = ruleOf('shop.example', '.bank.example', 'bücher.example')
  for (const host of [
    'shop.example',
    'shop.example.',
    'a.bank.example',
    'b.a.bank.example.',
    'xn--bcher-kva.example',
  ])
    assert.equal([rule.names(host), rule.mayCall(host)], [true, true], host)
  for (const host of ['a.shop.example', 'bank.example', 'evilbank.example', 'shop.example.evil', '8.8.8.8'])
    assert.equal([rule.names(host), rule.mayCall(host)], [false, false], host)
  assert.is(rule.allows('8.8.8.8'), false)
})

Rule('a rule may contain networks and addresses of IPv4 and IPv6, also beside public', () => {
  const rule = ruleOf('10.1.0.0/16', '10.9.9.9', 'fd12::/16', '[fd77::1]')
  for (const address of ['10.1.2.3', '10.9.9.9', '::ffff:10.1.2.3', 'fd12::9', 'fd77::1'])
    assert.is(rule.allows(address), true, address)
  for (const address of ['10.2.0.1', '10.9.9.8', '8.8.8.8', 'fd13::9', 'fd77::2'])
    assert.is(rule.allows(address), false, address)
  const both = ruleOf('public', '10.1.0.0/16')
  assert.equal(
    ['10.1.0.1', '8.8.8.8', '10.2.0.1'].map(address => both.allows(address)),
    [true, true, false],
  )
})

Rule('* allows every host, and an empty list none', () => {
  const open = ruleOf('*')
  assert.ok(open.isOpen && open.names('x.example') && open.allows('127.0.0.1') && open.mayCall('[::1]'))
  const none = ruleOf()
  assert.equal([none.isOpen, none.mayCall('x.example'), none.mayCall('8.8.8.8')], [false, false, false])
})

Rule('the error for an invalid entry quotes it', () => {
  for (const entry of [
    '',
    'http://a.example',
    'a.example:80',
    '10.0.0.0/33',
    '10.0.0.0/',
    'a/8',
    '*.a.example',
    '::/129',
    '10.1',
  ])
    assert.match(
      mistakeInHosts(['public', entry]) ?? '',
      `expected *, public, a host, .domain or a network such as 10.1.0.0/16, got "${entry}"`,
    )
})

Rule('valid entries cause no error', () => {
  assert.is(
    mistakeInHosts(['*', 'public', 'a.example', '.a.example', 'bücher.example', '10.0.0.0/8', '::1']),
    null,
  )
})

Rule.run()
