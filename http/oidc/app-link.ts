/** The two ways from the sign-in page to the wallet app: a QR code, and a link that opens the app on the same phone. @module */
import { create } from 'qrcode'
import type { Profile } from '../../protocol/profiles.ts'
import type { SessionPointer } from '../../protocol/session-package.ts'

/** Modules of the code as one path of an SVG: no style and no image is needed to draw it. */
export type DrawnCode = { readonly size: number; readonly path: string }

/** Readers accept every mask. The search for the best one takes more time than the rest of the code, and a pointer is random enough without it. */
const MASK = 3

export function drawnCode(pointer: SessionPointer): DrawnCode {
  const { modules } = create(JSON.stringify(pointer), { errorCorrectionLevel: 'M', maskPattern: MASK })
  const { size, data } = modules
  const path: string[] = []
  for (let i = 0; i < data.length; i++) if (data[i]) path.push(`M${i % size} ${Math.floor(i / size)}h1v1h-1z`)
  return { size, path: path.join('') }
}

/** Links that open the wallet app of each profile. */
export const APP_LINKS: Readonly<Record<Profile['name'], string>> = {
  svc: 'svc://qr/json/',
  irma: 'https://open.yivi.app/-/session#',
}

/** @param start of the link */
export function appLink(pointer: SessionPointer, start: string): string {
  return `${start}${encodeURIComponent(JSON.stringify(pointer))}`
}

/** A phone opens its own app. Every other device shows a code, and pairing is on: if an attacker passes the code on, the victim's data logs nobody in. */
export function isPhone(userAgent: string): boolean {
  return /Android|iPhone|iPod|Mobile/i.test(userAgent)
}
