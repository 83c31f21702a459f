/** A server as a process of its own on an SQLite file, that is killed and started again. Its only credential type is of an issuer with a key of
 *  4096 bits, and proofs are checked with BigInt unless it is said, so that a check takes long enough to be met. @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { bytes } from '../../cli/randomness.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { PROFILES, type ProfileName } from '../../protocol/profiles.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { type Database, openSqlite } from '../../stores/sql/sqlite.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import { freePort, type Running, startSvc } from '../cli/run-svc.ts'
import { makeScheme, temporaryFolder } from '../schemes/make-scheme.ts'
import { walletWith } from '../wallet/sign-credentials.ts'
import { createSession, type DrivenSession, type Row } from './driven-session.ts'

export type KillCase = {
  /** address of the server */
  readonly server: string
  /** sessions that are stored, by client token */
  statuses(): ReadonlyMap<string, string>
  /** @param extended members of the extended session request */
  create(extended?: { readonly timeout: number }): Promise<DrivenSession>
  /** `kill -9`, then the same command again on the same file and port. */
  killAndRestart(): Promise<void>
  end(): Promise<void>
}

const KEYS = 'test/vectors/cryptography-vectors.json'
export const TYPE = 'scheme.issuerD.card'

async function makeSchemes(folder: string): Promise<string> {
  const { keys } = JSON.parse(readFileSync(KEYS, 'utf8'))
  const key = { counter: 3, ...keys['scheme.issuerD-3'] }
  const types = [{ name: 'card', attributes: ['name', 'colour'] }]
  await makeScheme(folder, { id: 'scheme', issuers: [{ name: 'issuerD', keys: [key], types }] })
  return folder
}

async function makeWallet(schemesPath: string, dir: string): Promise<Wallet> {
  const deps = {
    schemes: await loadSchemes(schemesPath),
    arithmetic: chooseArithmetic('auto'),
    clock: Date,
    randomBytes: bytes,
  }
  return walletWith(dir, [{ type: TYPE, attributes: { name: 'Ann', colour: 'blue' } }], deps)
}

/** What all cases of a file share, for it takes a while to make. */
export async function killFacts() {
  const folder = await temporaryFolder()
  const schemes = await makeSchemes(join(folder.path, 'schemes'))
  const wallet = await makeWallet(schemes, join(folder.path, 'wallet'))
  return { folder, schemes, wallet }
}

export type KillFacts = Awaited<ReturnType<typeof killFacts>>

export async function killCase(
  { schemes, wallet, folder }: KillFacts,
  profileName: ProfileName,
  arithmetic: 'bigint' | 'auto' = 'bigint',
): Promise<KillCase> {
  const port = await freePort()
  const file = join(folder.path, `${port}.sqlite`)
  const words = `server --arithmetic ${arithmetic} --schemes-path ${schemes} --store sqlite:${file} --port ${port} --listen-addr 127.0.0.1`
  const start = async (): Promise<Running> => {
    const running = startSvc([...words.split(' '), '--profile', profileName])
    await running.says('svc server running')
    return running
  }
  let running = await start()
  const database = await openSqlite(file)
  const profile = PROFILES[profileName]
  const server = `http://127.0.0.1:${port}`
  const facts = {
    server,
    profile,
    wallet,
    attribute: `${TYPE}.name`,
    rowOf: (token: string) => rowOf(database, token),
  }
  const kill = async (): Promise<void> => {
    running.process.kill('SIGKILL')
    await running.finished
  }
  return {
    server,
    statuses: () => statusesIn(database),
    create: extended => createSession(facts, extended),
    async killAndRestart() {
      await kill()
      running = await start()
    },
    async end() {
      await kill()
      database.close()
    },
  }
}

function statusesIn(database: Database): Map<string, string> {
  const rows = database.prepare('select client_token, status from sessions').all()
  return new Map(rows.map(row => [String(Object(row).client_token), String(Object(row).status)]))
}

function rowOf(database: Database, clientToken: string): Row {
  const row = database
    .prepare('select claim, status, deadline_at from sessions where client_token = ?')
    .get(clientToken)
  assert.ok(row, 'the session has a row')
  return { isClaimed: row.claim !== null, status: String(row.status), deadlineAt: Number(row.deadline_at) }
}
