/** The charts of the demo behind its button: those of the web sites' sessions, of the keyshare server's accounts and of its mails, on one page. */
import * as assert from 'uvu/assert'
import { viewerOf } from '../http/inspector/harness.ts'
import { suite } from '../suite.ts'
import { pageOf, pinOf, startTestDemo } from './start.ts'

const DemoInspector = suite('demo: the charts are watched')

DemoInspector('sessions of both servers and the account behind the PIN are seen in every step', async () => {
  const demo = await startTestDemo()
  const page = pageOf(demo)
  try {
    const { inspector } = await page.tour()
    assert.match(inspector, /^http:\/\/127\.0\.0\.1:\d+\/#[A-Za-z0-9]{20}$/)
    const { port, hash } = new URL(inspector)
    const viewer = await viewerOf(Number(port), { token: hash.slice(1) })
    await pinOf(page).setUp('12345')
    await pinOf(page).logIn('12345')
    await viewer.until(
      each => each.type === 'svc.step' && each.actor?.requestor === '' && each.actor.status === 'DONE',
    )
    const events = viewer.all('svc.step').map(({ event }) => event.type)
    for (const event of [
      'app.connected',
      'app.startedLogin',
      'app.answered',
      'server.acceptedPin',
      'server.checked',
    ])
      assert.ok(events.includes(event), event)
    await viewer.close()
  } finally {
    await demo.close()
  }
})
DemoInspector.run()
