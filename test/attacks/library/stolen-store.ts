/** A thief has a copy of the database of a running server, and calls the endpoints with every text in it that could be a token. @module */
import { readFileSync } from 'node:fs'
import type { Attack } from '../attack.ts'

/** Every text of the alphabet of tokens and hashes, and every part of one that has the length of a token. */
const WORDS = /[A-Za-z0-9]{15,}/g
const TOKEN_LENGTH = 20
const REQUEST = {
  '@context': 'https://svc.example/ld/request/disclosure/v2',
  disclose: [[['svc-demo.gov.idcard.over18']]],
}

export const attack: Attack = {
  name: 'stolen-store',
  gains: 'a call that only the requestor, the wallet app or the frontend of a session may make',
  cites: 'spec/decisions#tokens',
  on: 'own servers',
  async run({ start }) {
    const { url, storeFile } = await start('server')
    const headers = { 'Content-Type': 'application/json' }
    const created = await fetch(`${url}/session`, { method: 'POST', headers, body: JSON.stringify(REQUEST) })
    const { sessionPtr } = Object(await created.json())
    for (const token of tokensIn(storeFile)) {
      for (const path of [`/session/${token}/status`, `/svc/session/${token}/status`])
        if ((await fetch(`${url}${path}`)).ok) return `GET ${path.replace(token, 'TOKEN')}`
      const asFrontend = { headers: { Authorization: token } }
      if ((await fetch(`${sessionPtr.u}/frontend/status`, asFrontend)).ok) return 'GET frontend/status'
    }
    return null
  },
}

/** Texts of the file and of its log. */
function tokensIn(storeFile: string): ReadonlySet<string> {
  const words = [storeFile, `${storeFile}-wal`].flatMap(
    file => readFileSync(file, 'latin1').match(WORDS) ?? [],
  )
  const parts = words.flatMap(word =>
    Array.from({ length: Math.max(word.length - TOKEN_LENGTH, 0) + 1 }, (_, at) =>
      word.slice(at, at + TOKEN_LENGTH),
    ),
  )
  return new Set([...words, ...parts])
}
