/** Messages name a PostgreSQL database without its user and password. @module */
import * as assert from 'uvu/assert'
import { shownDatabase } from '../../stores/postgres/shown-database.ts'
import { suite } from '../suite.ts'

const Shown = suite('the name of a PostgreSQL database in messages')

const ROWS = [
  ['postgres://svc:hunter2@db.example:5432/shop?sslmode=verify-full', 'postgres://db.example:5432/shop'],
  ['postgresql://svc:h%40/unter2@db.example/shop', 'postgresql://...@...'],
  ['postgres://db.example/shop?user=svc&password=hunter2', 'postgres://db.example/shop'],
  ['postgres:///shop?host=/run/postgresql', 'postgres:///shop'],
  ['postgres://svc:hun@ter2@[::1]/shop', 'postgres://[::1]/shop'],
  // the text before the "@" is a password with characters that should be percent-encoded
  ['postgres://svc:12/hunter2@db.example/shop', 'postgres://...@...'],
  ['postgres://svc:12?hunter2@db.example/shop', 'postgres://...@...'],
  ['postgres://svc:12#hunter2@db.example/shop', 'postgres://...@...'],
  ['postgres://svc:hunter2/@db.example/shop', 'postgres://...@...'],
] as const

for (const [address, shown] of ROWS)
  Shown(`${address.replaceAll('hunter2', '...')} is shown as ${shown}`, () =>
    assert.is(shownDatabase(address), JSON.stringify(shown)),
  )

Shown.run()
