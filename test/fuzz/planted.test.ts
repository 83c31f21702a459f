/** The fuzzer finds faults that are put in on purpose, each in a small copy of code that reads input. So a change of the fuzzer cannot make it blind. */
import { createServer, type RequestListener } from 'node:http'
import * as assert from 'uvu/assert'
import { readJson } from '../../protocol/json.ts'
import { decodeUpdate } from '../../protocol/revocation-cbor.ts'
import { RECORDED } from '../crypto/recorded-revocation.ts'
import { suite } from '../suite.ts'
import { type Finding, fuzz } from './fuzz.ts'
import { Caller } from './http/send.ts'
import { type Parser, parserTarget } from './parsers/parser.ts'
import { bytesIn } from './parsers/recorded.ts'
import { randomOf } from './random.ts'
import type { Target } from './target.ts'
import { UsualTime } from './usual-time.ts'

const Planted = suite('faults that are put in on purpose')

const REQUEST =
  '{"@context":"https://svc.example/ld/request/disclosure/v2","disclose":[[["a.b.c.d"]]],"labels":{"0":{"en":"x"}}}'
const INPUTS = 1_000

async function found(target: Target, usual?: UsualTime): Promise<Finding | undefined> {
  const { findings } = await fuzz([{ targets: [target], share: 1 }], {
    seed: 1,
    inputs: INPUTS,
    interval: INPUTS,
    ...(usual && { usual }),
  })
  return findings[0]
}

function parserOf(read: Parser['read'], form: Parser['form'] = 'json', seeds = [REQUEST]): Target {
  return parserTarget({ name: 'planted', form, seeds, read })
}

Planted('a member is used before its type is checked', async () => {
  const finding = await found(parserOf(text => Object(readJson(text)).disclose.length))
  assert.match(String(finding?.why), /TypeError/)
})

Planted('the depth of lists is not bounded', async () => {
  const depthOf = (value: unknown): number =>
    Array.isArray(value) ? 1 + Math.max(0, ...value.map(depthOf)) : 0
  const finding = await found(parserOf(text => depthOf(readJson(text, { maxDepth: 100_000 }))))
  assert.match(String(finding?.why), /RangeError/)
})

Planted('an error of a library is not converted', async () => {
  const finding = await found(parserOf(text => new URL(text.slice(0, 100)), 'text', ['https://a.example/']))
  assert.match(String(finding?.why), /TypeError/)
})

Planted('a promise is not awaited, and its rejection is not handled', async () => {
  const finding = await found(
    parserOf(text => {
      if (text.includes('"disclose":null')) void Promise.reject(new Error('nobody waits'))
    }),
  )
  assert.match(String(finding?.why), /^unhandledRejection/)
})

Planted('bytes are read beyond their end', async () => {
  const seed = RECORDED[0]?.initialCbor.toString('latin1') ?? ''
  const read = (input: string): unknown => [bytesIn(input).readUInt32BE(40), decodeUpdate(bytesIn(input))]
  const finding = await found(parserOf(read, 'cbor', [seed]))
  assert.match(String(finding?.why), /RangeError/)
})

/** Only the command measures times, so this test replaces the clock: it counts the work. */
Planted('a regular expression that backtracks takes 50 times the usual time', () => {
  const usual = new UsualTime()
  const target = parserOf(() => null, 'text', ['aaaaaaaaaaaaaaaa'])
  const reports: number[] = []
  for (let number = 0; number < 2_000; number++) {
    const input = String(target.generate(randomOf(1, number)))
    const run = /a+/.exec(input)?.[0].length ?? 0
    const steps = Math.min(2 ** run, 2 ** 24) // of ^(a+)+$
    const report = usual.note('planted', input.length, steps / 2 ** 16)
    if (report !== null) reports.push(report)
  }
  assert.ok(reports.length > 0)
})

/** @param listener a server with a fault */
async function foundAtServer(listener: RequestListener): Promise<Finding | undefined> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const caller = new Caller(Object(server.address()).port)
  const { generate } = parserOf(() => null)
  try {
    return await found({
      name: 'planted',
      generate,
      async tryInput(input) {
        const call = {
          method: 'POST',
          path: '/',
          headers: { 'Content-Type': 'application/json' },
          body: String(input),
        }
        const { status } = await caller.send(call)
        return status === 0 || status >= 500 ? `${status}` : null
      },
    })
  } finally {
    caller.close()
    server.close()
  }
}

Planted('a server answers 500 to a body that is no object', async () => {
  const finding = await foundAtServer((request, response) => {
    let body = ''
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () =>
      response.writeHead(/^[{["\dtfn-]/.test(body) && body !== 'null' ? 200 : 500).end(),
    )
  })
  assert.is(finding?.why, '500')
})

Planted('a server closes the connection without an answer', async () => {
  const finding = await foundAtServer((request, response) => {
    request.on('data', chunk => {
      if (String(chunk).includes('__proto__')) request.socket.destroy()
    })
    request.on('end', () => response.end())
  })
  assert.is(finding?.why, '0')
  assert.ok(String(finding?.input).length <= '__proto__'.length)
})

Planted('without a fault, nothing is found', async () => {
  assert.is(await found(parserOf(text => readJson(text))), undefined)
})

Planted.run()
