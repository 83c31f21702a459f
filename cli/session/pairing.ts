/** Device pairing from the terminal (spec 4.4, 5.3): switched on before the QR code is shown, confirmed by the Enter key. Everything is said
 *  on standard error. @module */
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { call, jsonOf } from './http.ts'
import type { FrontendAddress } from './package.ts'

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

/** Ask the user to compare the codes.
 *  @returns whether Enter was pressed; false also when standard input has ended or `signal` fires */
export async function confirmCode(code: string, signal: AbortSignal): Promise<boolean> {
  process.stderr.write(`\nPairing code: ${code}\n`)
  process.stderr.write(
    'Press Enter to confirm your device shows the same pairing code; otherwise press Ctrl-C.\n',
  )
  const lines = createInterface({ input: process.stdin })
  const stop = (): void => lines.close()
  signal.addEventListener('abort', stop, { once: true })
  const isConfirmed = await new Promise<boolean>(resolve => {
    lines.once('line', () => resolve(true))
    lines.once('close', () => resolve(false))
  })
  signal.removeEventListener('abort', stop)
  lines.close()
  return isConfirmed
}

export async function completePairing({ url, headers }: FrontendAddress): Promise<void> {
  await call('pairing', `${url}/pairingcompleted`, { method: 'POST', headers })
  process.stderr.write('Pairing completed.\n')
}
