/** Opens a whole part by part, and closes it at once: a server, the tour. @module */
import type { StoreLostError } from '../stores/store-error.ts'

/** Registers how a part is closed, as soon as the part is open. */
export type OnClose = (close: () => unknown) => void

export type Closable<Whole> = {
  readonly whole: Whole
  /** Closes every part once, in reverse order. If parts fail to close, the others are still closed, and the first error is thrown at the end. */
  readonly close: () => Promise<void>
}

/** @throws the error of `open`, once the opened parts are closed */
export async function opened<Whole>(open: (onClose: OnClose) => Promise<Whole>): Promise<Closable<Whole>> {
  const parts: Parameters<OnClose>[0][] = []
  let closed: Promise<void> | null = null
  const close = (): Promise<void> => {
    closed ??= closeAll(parts.reverse())
    return closed
  }
  try {
    return { whole: await open(part => void parts.push(part)), close }
  } catch (error) {
    await close().catch(() => {}) // the error of `open` is the cause
    throw error
  }
}

/** Opens a node. If another process takes over its store, the node can do no more work: then `lost` is called. Without `lost`, the node closes.
 *  @param open receives the callback for this loss
 *  @throws as `opened` */
export async function openedOnStore<Whole>(
  lost: ((error: StoreLostError) => void) | undefined,
  open: (onClose: OnClose, lose: (error: StoreLostError) => void) => Promise<Whole>,
): Promise<Whole & Pick<Closable<Whole>, 'close'>> {
  let lose = lost ?? (() => {}) // while the node is being opened, `opened` closes its parts
  const { whole, close } = await opened(onClose => open(onClose, error => lose(error)))
  lose = lost ?? (() => void close())
  return { ...whole, close }
}

async function closeAll(parts: readonly Parameters<OnClose>[0][]): Promise<void> {
  const failures: unknown[] = []
  for (const close of parts) {
    try {
      await close()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
