/** Rows that are visible from outside, at servers of this project with other settings than that of `conformance/kit.test.ts`. */
import * as assert from 'uvu/assert'
import { type RowOutcome, tryRows } from '../../../libraries/conformance/run.ts'
import { rowsThat } from '../../../libraries/conformance/trials/trials.ts'
import { suite } from '../../suite.ts'
import { OF_TOKENS } from './rows-of-requestors.ts'
import { startTarget } from './target.ts'

const Own = suite('svc conformance: our own server')

const SECRETS = /a token of the shop|Voorbeeld|Voorstraat|X1/

async function outcomesOf(rows: readonly string[], ...where: Parameters<typeof startTarget>) {
  const { target, close } = await startTarget(...where)
  const outcomes: RowOutcome[] = []
  for await (const outcome of tryRows(target, rowsThat(rows))) outcomes.push(outcome)
  await close()
  assert.not.match(JSON.stringify(outcomes), SECRETS)
  return outcomes.filter(({ outcome }) => outcome !== 'ok')
}

function assertNotTried(outcomes: readonly RowOutcome[], rows: readonly string[]): void {
  assert.equal(
    outcomes.filter(({ outcome }) => outcome === 'failed'),
    [],
  )
  assert.equal(
    outcomes.map(({ row }) => row),
    rows,
  )
}

Own('profile irma, with signed requests: every row except those about tokens', async () => {
  assertNotTried(await outcomesOf([], 'irma', 'signed', { minProtocolVersion: '2.4' }), OF_TOKENS)
})

Own('a server without SD-JWTs: their row is not tried', async () => {
  const rows = ['2.5 sdJwtBatchSize']
  assertNotTried(await outcomesOf(rows, 'svc', 'token', { sdJwtIssuers: null }), rows)
})

Own(
  'profile irma as it is by default, which serves version 2.8 alone: older versions are not tried',
  async () => {
    const rows = ['9.1 older forms', '9.1 version 2.4', '9.1 version 2.7']
    assertNotTried(await outcomesOf(['9'], 'irma', 'none'), rows)
  },
)

Own('a server without authentication', async () => {
  assertNotTried(await outcomesOf(['5.1 no_auth', '4.1 POST /session'], 'svc', 'none'), [])
})

Own('a server without a key signs no results: these rows are not tried', async () => {
  const rows = await outcomesOf(['5.2'], 'svc', 'none', { resultSigner: null })
  assert.equal([...new Set(rows.map(({ outcome }) => outcome))], ['not tried'])
  assert.is(rows.length, 6)
})

Own.run()
