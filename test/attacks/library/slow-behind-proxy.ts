/** One caller occupies every connection of nginx with calls whose bodies never end, so that no other caller gets an answer. @module */
import { connect as connectTcp } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { NotTriedError } from '../../../libraries/conformance/expect.ts'
import { hasTool } from '../../deploy/tools.ts'
import { PROXIES } from '../../faults/proxy/proxies.ts'
import { isMissing } from '../../project.ts'
import type { Attack } from '../attack.ts'

/** Handshakes at the same time. While few connections are free, nginx closes the older handshakes, so the last calls begin one after the other. */
const PHASES = [
  { calls: 680, atOnce: 40 },
  { calls: 120, atOnce: 1 },
] as const
/** The address of the attacker; every other caller has 127.0.0.1. */
const ADDRESS = '127.0.0.2'
const HONEST_CALLS = 20
const HEAD = 'POST /session HTTP/1.1\r\nHost: id.example\r\nContent-Length: 100000\r\n\r\n{'

export const attack: Attack = {
  name: 'slow-behind-proxy',
  gains: 'no other caller gets an answer through nginx with deploy/nginx.conf',
  cites: 'spec/laws#5',
  on: 'own servers',
  async run({ start }) {
    if (isMissing('nginx', hasTool('nginx'))) throw new NotTriedError('nginx is missing')
    const { port } = await start('server')
    const proxy = await PROXIES.nginx([port, port])
    const sockets: TLSSocket[] = []
    try {
      for (const { calls, atOnce } of PHASES)
        for (let begun = 0; begun < calls; begun += atOnce)
          sockets.push(...(await Promise.all(Array.from({ length: atOnce }, () => slowCall(proxy.ownPort)))))
      let refused = 0
      for (let i = 0; i < HONEST_CALLS; i++) refused += (await isAnswered(proxy.port)) ? 0 : 1
      return refused === 0 ? null : `${refused} of ${HONEST_CALLS} calls from another address got no answer`
    } finally {
      for (const socket of sockets) socket.destroy()
      await proxy.close()
    }
  },
}

/** @returns when the head was sent, or when the proxy closed the connection before */
function slowCall(port: number): Promise<TLSSocket> {
  return new Promise(resolve => {
    const inner = connectTcp({ port, host: '127.0.0.1', localAddress: ADDRESS })
    inner.on('error', () => {}) // the outer socket ends too
    const socket = connect({ socket: inner, rejectUnauthorized: false })
    socket.on('secureConnect', () => socket.write(HEAD, () => resolve(socket)))
    socket.on('error', () => resolve(socket)) // refused
    socket.on('close', () => resolve(socket))
  })
}

async function isAnswered(port: number): Promise<boolean> {
  const url = `http://127.0.0.1:${port}/health`
  const answer = await fetch(url, { headers: { Connection: 'close' } }).catch(() => null)
  return answer?.status === 200
}
