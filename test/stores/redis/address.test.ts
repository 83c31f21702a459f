/** Valid and invalid addresses of a Redis server, and the meaning of each part. @module */
import * as assert from 'uvu/assert'
import { hostAndPort, isRedis, parseRedisAddress } from '../../../stores/redis/address.ts'
import { suite } from '../../suite.ts'

const Addresses = suite('addresses of Redis servers')

for (const text of [
  'xredis://h',
  'redis://a@b@h',
  'redis://h#x',
  'redis://h?socket=',
  'redis://:word?socket=/s',
  'redis://shop:1234?socket=/s@h',
  'redis://localhost?socket=/s&x=1',
  'redis://localhost?socket=/s#x',
  'redis://h/1//x',
  'redis://h/12345',
  'redis://h/-1',
  'redis+sentinel://h/m#x',
  'redis+sentinel://h/m/0/x',
  'redis+sentinel://h/m?socket=/s',
  'redis+sentinel://a,b:x/m',
  'redis+sentinel://a,,b/m',
])
  Addresses(`refused: ${text}`, () => assert.is(parseRedisAddress(text), null))

const CREDENTIALS: Readonly<Record<string, readonly [string, string]>> = {
  'redis://h': ['', ''],
  'redis://shop@h': ['shop', ''],
  'redis://:word@h': ['', 'word'],
  'redis://shop:a:b@h': ['shop', 'a:b'],
  'redis://:100%@h': ['', '100%'],
  'redis://:a/b?c#d@h': ['', 'a/b?c#d'],
  'redis://shop:word@localhost?socket=/run/redis@6380/s': ['shop', 'word'],
}

for (const [text, [username, password]] of Object.entries(CREDENTIALS))
  Addresses(`user name and password are read: ${text}`, () =>
    assert.equal(parseRedisAddress(text)?.credentials, { username, password }),
  )

Addresses('the path of a socket and the name of a master are percent-decoded', () => {
  const socket = parseRedisAddress('redis://localhost?socket=/run/redis@6380/a%20b')
  assert.equal(socket?.place, { type: 'socket', path: '/run/redis@6380/a b' })
  assert.equal([socket?.name, socket?.credentials.username], ['"redis://localhost"', ''])
  const { place, database } = parseRedisAddress('redis+sentinel://h/my%20master/9999') ?? {}
  assert.equal(place?.type === 'sentinels' && [place.masterName, database], ['my master', 9_999])
})

Addresses('an IPv6 address is in brackets, in capital or small letters', () => {
  assert.equal(hostAndPort('[FE80::1]', 7), { host: 'FE80::1', port: 7 })
  assert.equal(hostAndPort('[::ffff:127.0.0.1]:65535', 7), { host: '::ffff:127.0.0.1', port: 65_535 })
  for (const text of ['[name]', 'a]b', 'a[b', '::1', '[::1', 'h:65536', 'h:'])
    assert.is(hostAndPort(text, 7), null, text)
})

Addresses('addresses of Redis are distinguished from those of other stores', () => {
  for (const text of ['redis://', 'rediss://h', 'redis+sentinel://h', 'rediss+sentinel://h'])
    assert.ok(isRedis(text), text)
  for (const text of ['redis', 'redis:h', 'sqlite:redis://h', 'redisss://h', 'postgres://h'])
    assert.not.ok(isRedis(text), text)
})

Addresses.run()
