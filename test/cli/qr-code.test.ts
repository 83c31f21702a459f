/** The QR code of svc session in a terminal of 80 columns and 24 rows, with the pointer below it. Standard output has only the result. @module */
import QRCode from 'qrcode'
import * as assert from 'uvu/assert'
import { qrCode } from '../../cli/session/qr-code.ts'
import { codeWithPointer } from '../../cli/session/show-pointer.ts'
import { suite } from '../suite.ts'
import { freePort, runSvc, startSvc } from './run-svc.ts'

function pointerTo(host: string): string {
  return JSON.stringify({ u: `http://${host}/svc/session/abcdefghijABCDEFGHIJ`, svcqr: 'disclosing' })
}

/** The modules in rows of text, dark ones as 1: each character shows two modules, in its foreground and its background colour. */
function modulesOf(rows: readonly string[]): readonly string[] {
  return rows.flatMap(row => {
    const cells = [...row.matchAll(/\[3([07]);4([07])m▀/g)]
    assert.is(row, `${cells.map(([cell]) => `\x1b${cell}`).join('')}\x1b[0m`)
    return [1, 2].map(half => cells.map(cell => (cell[half] === '0' ? '1' : '0')).join(''))
  })
}

const Code = suite('svc session: the QR code (spec/schemes-and-cli#16.4)')

Code('holds the text with error correction L, light around it, two modules to a character', () => {
  const text = pointerTo('192.168.100.123:48680')
  const { size, data } = QRCode.create(text, { errorCorrectionLevel: 'L' }).modules
  const light = '0'.repeat(size + 2)
  const inside = Array.from(
    { length: size },
    (_, row) => `0${[...data.slice(row * size, (row + 1) * size)].join('')}0`,
  )
  const shown = modulesOf(qrCode(text))
  assert.equal(shown.slice(0, size + 2), [light, ...inside, light])
  assert.ok(shown.slice(size + 2).every(row => row === light))
})

Code('fits 80 x 24 with the pointer below it', () => {
  const text = pointerTo('192.168.100.123:48680')
  const lines = codeWithPointer(text, {})
  assert.is(lines.at(-1), text)
  const rows = lines.length - 1 + Math.ceil(text.length / 80)
  assert.ok(rows < 24, `expected fewer than 24 rows, got ${rows}`)
  for (const row of lines.slice(0, -1)) assert.ok([...row.matchAll(/▀/g)].length <= 80)
})

Code('if the code does not fit the window, a line has the needed size', () => {
  const text = pointerTo(`${'a'.repeat(100)}.example`)
  const [needed = ''] = codeWithPointer(text, {}).slice(-1)
  const [, columns, rows] = /^The code needs a window of (\d+) columns and (\d+) rows; /.exec(needed) ?? []
  assert.ok(Number(rows) > 24, needed)
  const large = { columns: Number(columns), rows: Number(rows) }
  assert.not.ok(codeWithPointer(text, { ...large, columns: 200 }).some(line => line.startsWith('The code')))
  assert.match(codeWithPointer(pointerTo('a'), { columns: 20, rows: 99 }).at(-1) ?? '', /^The code needs/)
})

Code('is on standard error, with the pointer below it; standard output has only the result', async () => {
  const port = String(await freePort())
  const running = startSvc([
    'session',
    '--port',
    port,
    '--url',
    'http://127.0.0.1:port',
    '--schemes-path',
    'demo/schemes',
    '--disclose',
    'svc-demo.gov.idcard.over18',
  ])
  const said = await running.says('"disclosing"}\n')
  const [pointer = ''] = said.trimEnd().split('\n').slice(-1)
  assert.is((await fetch(JSON.parse(pointer).u, { method: 'DELETE' })).status, 200)
  const { code, stdout, stderr } = await running.finished
  assert.is(code, 0)
  assert.match(stdout, /^Session result:\n\{\n {2}"token"/)
  assert.is(stderr, `${qrCode(pointer).join('\n')}\n${pointer}\n`)
})

Code('of a static session is shown in the same way', async () => {
  const { stdout, stderr } = await runSvc(['session', '--static-server', 'http://a', '--static-name', 'b'])
  const pointer = '{"u":"http://a/svc/session/b","svcqr":"redirect"}'
  assert.is(stdout, '')
  assert.is(stderr, `Server URL: http://a/\n${qrCode(pointer).join('\n')}\n${pointer}\n`)
})
Code.run()
