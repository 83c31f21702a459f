/** The sites of `docs/sign-in-recipes.md`, each as a separate program on its own port. @module */
import { randomBytes } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, type Running, startProgram } from '../../cli/run-svc.ts'
import { tlsFile } from '../../tls.ts'
import { untilListening } from '../../until-listening.ts'
import { type Addresses, block, clientOf, savedWithPackages, siteAt } from './recipes.ts'

export type Site = {
  readonly url: string
  /** its entry in the settings of the provider */
  readonly client: object
  start(program: Program): Promise<Running>
}

type Program = (secret: string, addresses: Addresses) => Running

/** @param recipe name of the client on the page
 *  @param provider address of the provider */
export async function siteOf(recipe: string, provider: string): Promise<Site> {
  const secret = randomBytes(32).toString('hex')
  const addresses = { provider, sitePort: await freePort() }
  return {
    url: siteAt(addresses.sitePort),
    client: clientOf(recipe, addresses, secret),
    async start(program) {
      const running = program(secret, addresses)
      await untilListening(addresses.sitePort, running.process)
      return running
    },
  }
}

/** @param strategy number of the block among those named `wallet.mjs`, from 0 */
export const passportSite =
  (strategy: number): Program =>
  (secret, addresses) =>
    runNode('site.mjs', secret, {
      'site.mjs': block('site.mjs', addresses),
      'wallet.mjs': block('wallet.mjs', addresses, strategy),
    })

export const authSite: Program = (secret, addresses) =>
  runNode('auth.mjs', secret, { 'auth.mjs': block('auth.mjs', addresses) })

function runNode(file: string, secret: string, files: Readonly<Record<string, string>>): Running {
  const own = randomBytes(32).toString('hex')
  const env = { SHOP_SECRET: secret, SESSION_SECRET: own, AUTH_SECRET: own }
  const trusted = { NODE_EXTRA_CA_CERTS: tlsFile('cert.pem') }
  return startProgram(process.execPath, [file], { ...env, ...trusted }, savedWithPackages(files))
}

const APACHE = '/usr/sbin/apache2'
const MODULES = '/usr/lib/apache2/modules'
const NEEDED = 'mpm_event authn_core authz_core authz_user auth_openidc dir mime include rewrite'.split(' ')

/** True if Apache and its module mod_auth_openidc are installed. */
export const hasApache = existsSync(APACHE) && existsSync(join(MODULES, 'mod_auth_openidc.so'))

/** Apache with the configuration of the page. The protected page of the site prints two variables that the module sets. */
export const apacheSite: Program = (secret, addresses) => {
  const folder = savedWithPackages({})
  chmodSync(folder, 0o755) // Apache, started by root, reads files as www-data
  copyFileSync(tlsFile('cert.pem'), join(folder, 'cert.pem'))
  mkdirSync(join(folder, 'www/members'), { recursive: true })
  const shown = '<!--#echo var="REMOTE_USER" --> <!--#echo var="OIDC_CLAIM_over18" -->'
  writeFileSync(join(folder, 'www/members/index.shtml'), shown)
  writeFileSync(join(folder, 'www/bye.html'), 'You are logged out.')
  writeFileSync(join(folder, 'www/refused.html'), 'You did not log in.')
  const modules = NEEDED.map(name => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`)
  const own = `ServerName 127.0.0.1
ServerRoot ${folder}
Listen 127.0.0.1:${addresses.sitePort}
PidFile ${folder}/pid
ErrorLog ${folder}/error.log
DocumentRoot ${folder}/www
TypesConfig /dev/null
AddType text/html .html .shtml
DirectoryIndex index.shtml
AddOutputFilter INCLUDES .shtml
OIDCCABundlePath ${folder}/cert.pem
User www-data
Group www-data
<Directory ${folder}/www>
  Options Includes
</Directory>`
  const file = join(folder, 'apache.conf')
  writeFileSync(file, [...modules, own, block('apache.conf', addresses)].join('\n'))
  const env = { SHOP_SECRET: secret, CRYPTO_SECRET: randomBytes(32).toString('hex') }
  return startProgram(APACHE, ['-f', file, '-D', 'FOREGROUND'], env)
}
