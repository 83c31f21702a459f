/** Names in schemes (spec/schemes-and-cli 1): stricter than a file system, so that no name can lead out of its folder. @module */

/** a scheme, an issuer, a credential type, an attribute */
export const NAME = /^[A-Za-z0-9_-]+$/

/** start of names that an interrupted update leaves behind */
export const RESERVED = /^\.?(tempscheme|oldscheme)/
