/** Things that are opened part by part and closed as a whole: a server, the tour. @module */
import type { StoreLostError } from '../stores/store-error.ts'

/** Registers how a part is closed, as soon as it is there. */
export type OnClose = (close: () => unknown) => void

export type Closable<Whole> = {
  readonly whole: Whole
  /** Closes every part once, the last one first, also when another one fails to close; then it throws what the first of these threw. */
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
    await close().catch(() => {}) // why it could not be opened says more
    throw error
  }
}

/** A node, which can do nothing more once another process takes over its store: then `lost` is called, or else it closes.
 *  @param open receives the callback for the loss
 *  @throws as `opened` */
export async function openedOnStore<Whole>(
  lost: ((error: StoreLostError) => void) | undefined,
  open: (onClose: OnClose, lose: (error: StoreLostError) => void) => Promise<Whole>,
): Promise<Whole & Pick<Closable<Whole>, 'close'>> {
  let lose = lost ?? (() => {}) // until it is there, there is nothing to close
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
