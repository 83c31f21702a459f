/** Addresses that this server calls: `callbackUrl`, `nextSession.url`, other servers. @module */
import { parseUrl } from './parse-url.ts'

/** @returns null if the text is not the address of a server, or if it holds a user name or a password */
export function addressOf(url: string): URL | null {
  const parsed = parseUrl(url)
  const isOfServer = parsed?.protocol === 'http:' || parsed?.protocol === 'https:'
  return isOfServer && parsed.username === '' && parsed.password === '' ? parsed : null
}

/** Ports that `fetch` never calls, because other protocols own them (WHATWG Fetch, "port blocking"). */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

export function hasBlockedPort({ port }: Pick<URL, 'port'>): boolean {
  return port !== '' && BLOCKED_PORTS.has(Number(port))
}

/** @returns what was expected and what came, without the address, which may hold a secret; null: the address can be called */
export function mistakeInAddress(url: string): string | null {
  const address = addressOf(url)
  if (address === null) return 'expected an http or https address without a user name, got another text'
  return hasBlockedPort(address)
    ? 'expected a port that HTTP clients call, got one that belongs to another protocol and that they block; use another port'
    : null
}
