/** Several nodes on one PostgreSQL database behind a real proxy, nginx, which spreads the calls over them. Tests of whole sessions start them in place of
 *  one node when `BEHIND_PROXY` names a folder for the log of the proxy (test/faults/proxy). @module */
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './cli/run-svc.ts'
import { copied } from './deploy/tools.ts'
import { endProcess, endWithTests } from './end-process.ts'
import { MANY_USERS, WITHOUT_TLS } from './faults/proxy/proxies.ts'
import { newPostgresDatabase } from './postgres.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { untilListening } from './until-listening.ts'

const NGINX = '/usr/sbin/nginx'

/** True if nginx is installed; the second argument of `isMissing`. */
export const hasNginx = existsSync(NGINX)

const { BEHIND_PROXY } = process.env

/** The file name of its log: a line for each call, with the node that answered and its status. */
export const PROXY_LOG = 'calls.log'

/** The settings of a node at its start. */
export type Seat = {
  readonly store: string
  /** the port on which it listens */
  readonly port: number
  /** the port of the service for clients: the same one, or that of the proxy */
  readonly servicePort: number
}

export type Placed<Node> = {
  /** one node, or all nodes behind the proxy */
  readonly nodes: readonly [Node, ...Node[]]
  readonly port: number
  /** Stops the proxy. */
  readonly close: () => Promise<void>
}

/** Starts one node on a store in memory, or several on one database behind the proxy. */
export async function placed<Node>(start: (seat: Seat) => Promise<Node>): Promise<Placed<Node>> {
  const servicePort = await freePort()
  if (BEHIND_PROXY === undefined) {
    const node = await start({ store: 'memory', port: servicePort, servicePort })
    return { nodes: [node], port: servicePort, close: async () => {} }
  }
  const store = await newPostgresDatabase()
  const ports = await Promise.all([freePort(), freePort(), freePort()] as const)
  const [first, ...others] = ports.map(port => start({ store, port, servicePort }))
  if (!first) throw new Error('expected a node, got none')
  const nodes = [await first, ...(await Promise.all(others))] as const
  return { nodes, port: servicePort, close: await startProxy(servicePort, ports, BEHIND_PROXY) }
}

/** The nginx file of `deploy/`, inside the usual configuration of Debian. */
function configOf(port: number, targets: readonly number[], folder: string, logs: string): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const site = join(folder, 'site.conf')
  copied(
    'nginx.conf',
    folder,
    {
      'server node1:8088 max_fails=0;\n    server node2:8088 max_fails=0;': targets
        .map(each => `server 127.0.0.1:${each} max_fails=0;`)
        .join('\n'),
      'listen 443 ssl;\n    listen [::]:443 ssl;': `listen 127.0.0.1:${port};`,
      ...WITHOUT_TLS,
      ...MANY_USERS,
    },
    '',
    'site.conf',
  )
  return `
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  ${paths.map(name => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  log_format calls '$upstream_addr $status';
  access_log ${join(logs, PROXY_LOG)} calls;
  include ${site};
}
`
}

/** @returns a function that stops it */
async function startProxy(
  port: number,
  targets: readonly number[],
  logs: string,
): Promise<() => Promise<void>> {
  const folder = temporaryFolder()
  const config = join(folder, 'nginx.conf')
  writeFileSync(config, configOf(port, targets, folder, logs))
  const child = spawn(NGINX, ['-c', config, '-e', join(folder, 'error.log')], { stdio: 'inherit' })
  endWithTests(child, 'SIGTERM')
  await untilListening(port, child)
  return () => endProcess(child, 'SIGTERM')
}
