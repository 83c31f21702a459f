/** The contrast of every text on a page with its background (WCAG 2.2, 1.4.3). @module */
import type { Page } from 'playwright-core'

/** Texts below the ratio for their size, as `ratio: text`. Texts on pictures are left out. */
export function lowContrast(page: Page): Promise<string[]> {
  return page.evaluate(SCRIPT)
}

/** Runs in the page. It is an expression in a text, because the project's types have no document. A canvas converts any notation of a colour to four bytes. */
const SCRIPT = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const bytes = color => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = color
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  }
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map(v => v / 255).map(v => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    return 0.2126 * x + 0.7152 * y + 0.0722 * z
  }
  const behind = node => {
    for (let at = node; at; at = at.parentElement) {
      const style = getComputedStyle(at)
      if (style.backgroundImage !== 'none') return null
      const color = bytes(style.backgroundColor)
      if (color[3] > 0) return color
    }
    return null
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const low = []
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement
    const text = walker.currentNode.textContent.trim()
    if (!text || !node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || node.closest('.unseen, .skip, noscript')) continue
    const ground = behind(node)
    if (!ground) continue
    const style = getComputedStyle(node)
    const [a, b] = [luminance(bytes(style.color)), luminance(ground)].sort((x, y) => y - x)
    const ratio = (a + 0.05) / (b + 0.05)
    const size = parseFloat(style.fontSize)
    const wanted = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5
    if (ratio < wanted) low.push(ratio.toFixed(2) + ': ' + text)
  }
  return low
})()`
