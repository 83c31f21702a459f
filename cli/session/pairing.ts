/** Device pairing from the terminal (spec/interface#4.4, #5.3): turned on before the QR code is shown, confirmed with the Enter key. All its output goes to standard
 *  error. @module */
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { cancelSession } from './cancel.ts'
import { call, jsonOf } from './http.ts'
import { type FrontendAddress, frontendAddress, type SessionPackage } from './package.ts'

const options = z.object({ pairingCode: z.string() })

/** @param contextBase of the server's profile
 *  @returns the code that the wallet app will show */
export async function enablePairing({ url, headers }: FrontendAddress, contextBase: string): Promise<string> {
  const body = JSON.stringify({
    '@context': `${contextBase}/ld/request/frontendoptions/v1`,
    pairingMethod: 'pin',
  })
  const answer = await call('pairing', `${url}/options`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  })
  const parsed = options.safeParse(jsonOf(answer))
  if (!parsed.success) throw new Error('pairing: expected a pairing code from the server, got none')
  return parsed.data.pairingCode
}

/** Asks the user, then completes the pairing or cancels the session. It never rejects: it prints errors, and the caller sees the result in the status of the
 *  session.
 *  @param ended aborted when the session ends */
export async function pair(session: SessionPackage, code: string, ended: AbortSignal): Promise<void> {
  try {
    if (await confirmCode(code, ended)) await completePairing(frontendAddress(session))
    else if (!ended.aborted) await cancelSession(session)
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
  }
}

/** @returns true if Enter was pressed; false also if standard input or the session ended */
async function confirmCode(code: string, ended: AbortSignal): Promise<boolean> {
  say(`\nPairing code: ${code}`)
  say('Press Enter to confirm your device shows the same pairing code; otherwise press Ctrl-C.')
  const lines = createInterface({ input: process.stdin, signal: ended })
  const isConfirmed = await new Promise<boolean>(resolve => {
    lines.once('line', () => resolve(true))
    lines.once('close', () => resolve(false))
  })
  lines.close()
  return isConfirmed
}

async function completePairing({ url, headers }: FrontendAddress): Promise<void> {
  await call('pairing', `${url}/pairingcompleted`, { method: 'POST', headers })
  say('Pairing completed.')
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
