/** Times in the zone of this machine, in the form of the existing commands: `2026-11-26 01:00:00 +0100 CET`. @module */

/** English of several regions: each has the abbreviations of its own zones. */
const REGIONS = ['en-GB', 'en-US', 'en-CA', 'en-AU', 'en-ZA', 'en-IN']

/** @param zone of this machine by default */
export function timeInZone(
  atSec: number,
  zone = new Intl.DateTimeFormat().resolvedOptions().timeZone,
): string {
  const at = new Date(atSec * 1_000)
  const offset = minutesOf(zone, at)
  const [day = '', time = ''] = new Date(at.getTime() + offset * 60_000).toISOString().split(/[T.]/)
  const shift = `${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(Math.abs(offset) / 60))}`
  const minutes = twoDigits(Math.abs(offset) % 60)
  return `${day} ${time} ${shift}${minutes} ${nameOf(zone, at) ?? (minutes === '00' ? shift : shift + minutes)}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

function minutesOf(zone: string, at: Date): number {
  const [, sign = '+', hours = '0', minutes = '0'] =
    /GMT([+-])(\d\d):(\d\d)/.exec(partOf('en-GB', zone, 'longOffset', at)) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

function nameOf(zone: string, at: Date): string | undefined {
  return REGIONS.map(region => partOf(region, zone, 'short', at)).find(name => /^[A-Z]+$/.test(name))
}

function partOf(region: string, timeZone: string, timeZoneName: 'short' | 'longOffset', at: Date): string {
  const parts = new Intl.DateTimeFormat(region, { timeZone, timeZoneName }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}
