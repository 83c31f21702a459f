/** The proxies of `deploy/` with their files, in which only the addresses are changed. @module */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { freePort } from '../../cli/run-svc.ts'
import { copied, pathOf, type Tool } from '../../deploy/tools.ts'
import { endProcess, endWithTests } from '../../end-process.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { untilListening } from '../../until-listening.ts'

export type Proxy = {
  /** the port for plain HTTP of clients */
  readonly port: number
  /** the port of the proxy itself: of nginx with TLS, for connections from another address */
  readonly ownPort: number
  readonly close: () => Promise<void>
}

export type ProxyName = 'nginx' | 'caddy'

/** @param nodes ports of the two nodes */
export const PROXIES: Readonly<Record<ProxyName, (nodes: readonly number[]) => Promise<Proxy>>> = {
  nginx: startNginx,
  caddy: nodes => startCaddy(nodes),
}

function addresses([first, second]: readonly number[]): Readonly<Record<string, string>> {
  return { 'node1:8088': `127.0.0.1:${first}`, 'node2:8088': `127.0.0.1:${second}` }
}

/** For `copied`: Caddy listens on no port of its own. */
export const WITHOUT_ADMIN = { '{\n\tservers': '{\n\tadmin off\n\tservers' }

/** @param smaller other numbers, for `copied` */
export async function startCaddy(
  nodes: readonly number[],
  smaller: Readonly<Record<string, string>> = {},
): Promise<Proxy> {
  const folder = temporaryFolder()
  const port = await freePort()
  const file = copied('Caddyfile', folder, { ...addresses(nodes), ...WITHOUT_ADMIN, ...smaller })
  const env = { SVC_HOST: `http://127.0.0.1:${port}`, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = started('caddy', ['run', '--adapter', 'caddyfile', '--config', file], env)
  await untilListening(port, child)
  return { port, ownPort: port, close: () => endProcess(child, 'SIGTERM') }
}

/** Clients of the tests use no TLS, so a relay adds it. */
async function startNginx(nodes: readonly number[]): Promise<Proxy> {
  const folder = temporaryFolder()
  const port = await freePort()
  const [cert, key] = [join(folder, 'chain.pem'), join(folder, 'key.pem')]
  const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert]
  execFileSync('openssl', ['req', ...made, '-subj', '/CN=id.example'], { stdio: 'ignore' })
  const site = copied('nginx.conf', folder, {
    ...addresses(nodes),
    ...MANY_USERS,
    'listen 443 ssl;\n    listen [::]:443 ssl;': `listen 127.0.0.1:${port} ssl;`,
    '/etc/nginx/tls/chain.pem': cert,
    '/etc/nginx/tls/key.pem': key,
  })
  const whole = join(folder, 'whole.conf')
  writeFileSync(whole, aroundSite(site, folder))
  const child = started('nginx', ['-c', whole, '-e', join(folder, 'error.log')])
  await untilListening(port, child)
  const relay = await relayToTls(port, cert)
  return {
    port: relay.port,
    ownPort: port,
    async close() {
      relay.close()
      await endProcess(child, 'SIGTERM')
    },
  }
}

/** For `copied`: nginx counts no calls from 127.0.0.1, the address of tests that make the calls of many users. */
export const MANY_USERS = { '# 192.0.2.10 1;': '127.0.0.1 1;' }

/** For `copied`: nginx without certificates. */
export const WITHOUT_TLS = {
  'ssl_certificate /etc/nginx/tls/chain.pem;\n    ssl_certificate_key /etc/nginx/tls/key.pem;': '',
}

/** @param more directives beside the site
 *  @returns the configuration of Debian around a site */
export function aroundSite(site: string, folder: string, more = ''): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off;
user root;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log;
events { worker_connections 768; }
http {
  ${paths.map(name => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  access_log off;
  ${more}
  include ${site};
}
`
}

async function relayToTls(port: number, cert: string): Promise<{ port: number; close: () => void }> {
  const ca = readFileSync(cert)
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    const proxy = connectTls({ port, host: '127.0.0.1', ca, servername: 'id.example' })
    for (const socket of [client, proxy]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('error', () => {}) // destroys the other side as well
    }
    client.on('close', () => proxy.destroy())
    proxy.on('close', () => client.destroy())
    client.pipe(proxy).pipe(client)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port, // the server listens on a port
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function started(tool: Tool, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(pathOf(tool), words, { env: { ...process.env, ...env }, stdio: 'ignore' })
  endWithTests(child, 'SIGTERM')
  return child
}
