/** The pages of one Chromium. A new page costs more than most visits, so the next visitor with the same device reuses it, unless something failed on it. @module */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

export type Device = 'desktop' | 'android' | 'ios'

const PHONE = { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true }
const DEVICES: Readonly<Record<Device, BrowserContextOptions>> = {
  desktop: {},
  android: {
    ...PHONE,
    userAgent: 'Mozilla/5.0 (Linux; Android 14; Phone) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
  },
  ios: {
    ...PHONE,
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
  },
}

export type Pages = { use(device: Device, visit: (page: Page) => Promise<void>): Promise<void> }

export function pagesOf(browser: Browser): Pages {
  const free: { readonly device: Device; readonly page: Page }[] = []

  async function take(device: Device): Promise<Page> {
    const at = free.findIndex(each => each.device === device)
    const found = at < 0 ? undefined : free.splice(at, 1)[0]
    if (found) return found.page
    return (await browser.newContext(DEVICES[device])).newPage()
  }

  return {
    async use(device, visit) {
      const page = await take(device)
      try {
        await visit(page)
      } catch (error) {
        await page.context().close()
        throw error
      }
      free.push({ device, page })
    },
  }
}
