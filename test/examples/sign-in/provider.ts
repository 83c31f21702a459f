/** `svc oidc` behind a proxy that ends TLS, as in production. @module */
import { once } from 'node:events'
import { connect } from 'node:net'
import { createServer } from 'node:tls'
import { freePort } from '../../cli/run-svc.ts'
import { endProcess } from '../../end-process.ts'
import { startOidc } from '../../server/oidc/process.ts'
import { tlsPair } from '../../tls.ts'

export type Provider = {
  /** the issuer, with https; its certificate is `tlsFile('cert.pem')` */
  readonly address: string
  /** Starts it for these clients. */
  start(clients: readonly object[]): Promise<void>
  /** The address behind the proxy, for callers that do not know its certificate. Addresses of sites stay as they are. */
  inside(url: string): string
  /** a `fetch` of such callers */
  readonly reach: typeof fetch
  close(): Promise<void>
}

export async function newProvider(): Promise<Provider> {
  const [port, tlsPort] = [await freePort(), await freePort()]
  const address = `https://127.0.0.1:${tlsPort}`
  const proxy = createServer(tlsPair(), browser => {
    const provider = connect(port, '127.0.0.1')
    browser.pipe(provider).pipe(browser)
    browser.on('error', () => provider.destroy())
    provider.on('error', () => browser.destroy())
  })
  proxy.listen(tlsPort, '127.0.0.1')
  await once(proxy, 'listening')
  const inside = (url: string): string => url.replace(address, `http://127.0.0.1:${port}`)
  let end = async (): Promise<void> => {}
  return {
    address,
    async start(clients) {
      const running = await startOidc(port, { url: `${address}/`, clients })
      end = () => endProcess(running.process, 'SIGTERM')
    },
    inside,
    reach: (url, init) => fetch(inside(String(url)), init),
    async close() {
      await end()
      proxy.close()
    },
  }
}
