/** Events of the keyshare login chart, as tests write them. @module */
import type { StampedLoginEvent } from '../../machines/login-events.ts'

/** An event without its time. */
export type UnstampedLoginEvent = StampedLoginEvent extends infer E
  ? E extends StampedLoginEvent
    ? Omit<E, 'at'>
    : never
  : never
