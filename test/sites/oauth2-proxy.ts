/** nginx and oauth2-proxy in front of a site, with the blocks of `docs/sign-in-recipes.md`. Go builds oauth2-proxy once. @module */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { freePort, type Running, startProgram, withSvc } from '../cli/run-svc.ts'
import { textOf } from '../docs/pages.ts'
import type { Person } from '../examples/sign-in/person.ts'
import type { Provider } from '../examples/sign-in/provider.ts'
import { block, clientOf, siteAt } from '../examples/sign-in/recipes.ts'
import { PROJECT } from '../project.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { tlsFile } from '../tls.ts'
import { untilListening } from '../until-listening.ts'

/** The version that the page names. */
const VERSION = /oauth2-proxy (\d+\.\d+\.\d+)/.exec(textOf('docs/sign-in-recipes.md'))?.[1]
/** The port of oauth2-proxy on the page. */
const PORT_OF_PAGE = '4180'

/** A login, a second page, a logout and a refusal. */
export async function playOauth2Proxy(provider: Provider, person: () => Person): Promise<void> {
  const program = builtProgram()
  const secret = randomBytes(32).toString('hex')
  const [sitePort, proxyPort] = [await freePort(), await freePort()]
  const addresses = { provider: provider.address, sitePort }
  const url = siteAt(sitePort)
  await provider.start([clientOf('proxy', addresses, secret)])
  const folder = temporaryFolder()
  writeFileSync(
    join(folder, 'oauth2-proxy.cfg'),
    block('oauth2-proxy.cfg', addresses).replaceAll(PORT_OF_PAGE, `${proxyPort}`),
  )
  const proxy = startProgram(program, ['--config', join(folder, 'oauth2-proxy.cfg')], {
    OAUTH2_PROXY_CLIENT_SECRET: secret,
    OAUTH2_PROXY_COOKIE_SECRET: randomBytes(32).toString('base64url'),
    OAUTH2_PROXY_COOKIE_SECURE: 'false', // the site of the test has no TLS
    OAUTH2_PROXY_PROVIDER_CA_FILES: tlsFile('cert.pem'),
  })
  await withSvc(proxy, async () => {
    await startedAt(proxyPort, proxy)
    const site = await startSite()
    const nginx = await startNginx(folder, sitePort, { proxyPort, backPort: site.port })
    await withSvc(nginx, () => play(url, provider, person)).finally(site.close)
  })
}

/** @throws {Error} with the output of the program, if it ends first */
async function startedAt(port: number, { process, finished }: Running): Promise<void> {
  await untilListening(port, process).catch(async cause => {
    throw new Error((await finished).stderr, { cause })
  })
}

async function play(url: string, provider: Provider, person: () => Person): Promise<void> {
  const user = person()
  const first = await user.answer(await user.get(`${url}/page?n=1`))
  assert.match(first.text, /^\/page\?n=1 [\w-]{43}$/, 'the page that the user asked for')
  const [, sub] = first.text.split(' ')
  assert.is((await user.get(`${url}/other`)).text, `/other ${sub}`, 'the site knows its user')
  const away = await user.get(`${url}/oauth2/sign_out?rd=%2Fbye`)
  assert.is(away.text, '/bye undefined')
  const again = await user.answer(await user.get(`${url}/`))
  assert.is(again.text, `/ ${sub}`, 'the same sub at each login')
  const other = person()
  const refused = await other.answer(await other.get(`${url}/`), 'refuse')
  assert.is(refused.status, 403)
  assert.ok((await other.get(`${url}/`)).location?.startsWith(`${provider.address}/authorize?`))
}

/** A site that shows the address of the call, and its user. */
async function startSite(): Promise<{ readonly port: number; readonly close: () => void }> {
  const port = await freePort()
  const server = createServer(({ url, headers }, answer) => answer.end(`${url} ${headers['x-user']}`))
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return { port, close: () => void server.close() }
}

async function startNginx(
  folder: string,
  port: number,
  to: { readonly proxyPort: number; readonly backPort: number },
): Promise<Running> {
  const part = block('nginx.conf', { provider: '', sitePort: to.backPort })
  const file = join(folder, 'nginx.conf')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    each => `${each}_temp_path ${folder}/${each};`,
  )
  writeFileSync(
    file,
    `daemon off;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  ${paths.join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    ${part.replaceAll(PORT_OF_PAGE, `${to.proxyPort}`)}
  }
}`,
  )
  const running = startProgram('/usr/sbin/nginx', ['-c', file, '-e', 'stderr'], {})
  await startedAt(port, running)
  return running
}

/** `OAUTH2_PROXY` names a program that is there already. */
function builtProgram(): string {
  const { OAUTH2_PROXY } = process.env
  if (OAUTH2_PROXY) return OAUTH2_PROXY
  const GOBIN = join(PROJECT, 'node_modules/.cache/oauth2-proxy', `${VERSION}`)
  const program = join(GOBIN, 'oauth2-proxy')
  if (existsSync(program)) return program
  mkdirSync(GOBIN, { recursive: true })
  const source = `github.com/oauth2-proxy/oauth2-proxy/v7@v${VERSION}`
  execFileSync('go', ['install', source], { env: { ...process.env, GOBIN }, stdio: 'inherit' })
  return program
}
