/** The big-number functions of OpenSSL in the Node executable, called through koffi. Only this module binds them. Nothing here guards against misuse: a freed
 *  address, or one of another kind, crashes the process. @module */
import { createRequire } from 'node:module'
import { bitLength, bytesOf, integerOf } from '../bytes.ts'
import {
  type InnerFunctions,
  innerFunctions,
  type NumberAddress,
  type NumberAddressOf,
} from './inner-functions.ts'
import { keepLargePiecesApart } from './large-pieces.ts'

/** Address of an OpenSSL object; 0n: none. */
export type Address = bigint

/** OpenSSL's own names without BN_. Functions that can fail throw instead. `ctx` is a BN_CTX (one per thread), `mont` is a BN_MONT_CTX. */
export type Libcrypto = InnerFunctions & {
  readonly newNumber: () => Address
  /** overwrites the number with zeros, then frees it */
  readonly freeNumber: (a: Address) => void
  readonly copy: (to: Address, from: Address) => void
  /** from now on, functions that take this number as exponent or modulus avoid branches that depend on it */
  readonly markSecret: (a: Address) => void
  readonly write: (to: Address, x: bigint) => void
  /** @param length bytes to read, enough for the number */
  readonly read: (from: Address, length: number) => bigint
  /** copies bytes, lowest first, from a place into an OpenSSL number, and the reverse */
  readonly copyIn: (to: Address, from: NumberAddress, length: number) => void
  readonly copyOut: (to: NumberAddress, from: Address, length: number) => void
  readonly newContext: () => Address
  readonly freeContext: (ctx: Address) => void
  readonly newMontgomery: (modulus: Address, ctx: Address) => Address
  readonly freeMontgomery: (mont: Address) => void
  /** r = a * b / 2^k: the product of two numbers in Montgomery form; r may be a or b */
  readonly multiply: (r: Address, a: Address, b: Address, mont: Address, ctx: Address) => void
  readonly placeOf: NumberAddressOf
  readonly toMontgomery: (r: Address, a: Address, mont: Address, ctx: Address) => void
  readonly fromMontgomery: (r: Address, a: Address, mont: Address, ctx: Address) => void
  readonly power: (r: Address, base: Address, exponent: Address, modulus: Address, ctx: Address) => void
  readonly secretPower: (r: Address, base: Address, exponent: Address, modulus: Address, ctx: Address) => void
  /** two powers in one call, which is faster on some processors */
  readonly secretPowers: (p: ModularPower, q: ModularPower, ctx: Address) => void
  /** false: there is no inverse, and r is undefined */
  readonly inverse: (r: Address, a: Address, modulus: Address, ctx: Address) => boolean
}
export type ModularPower = {
  readonly result: Address
  readonly base: Address
  readonly exponent: Address
  readonly modulus: Address
  readonly mont: Address
}

const BN_FLG_CONSTTIME = 4

/** Bytes of the largest number below a modulus. */
export function byteLength(modulus: bigint): number {
  return Math.ceil(bitLength(modulus) / 8)
}

function succeed(result: number | bigint): void {
  if (!result) throw new Error('OpenSSL: a function of its big numbers failed')
}

function existing(address: Address | null): Address {
  if (!address) throw new Error('OpenSSL: out of memory')
  return address
}

function bind() {
  const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi')
  const node = koffi.load(null)
  keepLargePiecesApart(node)
  const placeOf = (memory: Uint8Array | BigUint64Array): NumberAddress => Number(koffi.address(memory))
  const modular = 'void* a, void* p, void* m, void* ctx, void* mont'
  return {
    placeOf,
    inner: innerFunctions(node, placeOf),
    BN_new: node.func('void* BN_new()'),
    BN_clear_free: node.func('void BN_clear_free(void* a)'),
    BN_copy: node.func('void* BN_copy(void* a, void* b)'),
    BN_set_flags: node.func('void BN_set_flags(void* a, int n)'),
    BN_bin2bn: node.func('void* BN_bin2bn(const uint8_t* s, int len, void* ret)'),
    BN_bn2binpad: node.func('int BN_bn2binpad(void* a, _Out_ uint8_t* to, int len)'),
    BN_lebin2bn: node.func('void* BN_lebin2bn(uint64_t s, int len, void* ret)'),
    BN_bn2lebinpad: node.func('int BN_bn2lebinpad(void* a, uint64_t to, int len)'),
    BN_CTX_free: node.func('void BN_CTX_free(void* ctx)'),
    BN_CTX_new: node.func('void* BN_CTX_new()'),
    BN_MONT_CTX_new: node.func('void* BN_MONT_CTX_new()'),
    BN_MONT_CTX_set: node.func('int BN_MONT_CTX_set(void* mont, void* m, void* ctx)'),
    BN_MONT_CTX_free: node.func('void BN_MONT_CTX_free(void* mont)'),
    BN_mod_mul_montgomery: node.func(
      'int BN_mod_mul_montgomery(void* r, void* a, void* b, void* mont, void* ctx)',
    ),
    BN_to_montgomery: node.func('int BN_to_montgomery(void* r, void* a, void* mont, void* ctx)'),
    BN_from_montgomery: node.func('int BN_from_montgomery(void* r, void* a, void* mont, void* ctx)'),
    BN_mod_exp_mont: node.func(`int BN_mod_exp_mont(void* r, ${modular})`),
    BN_mod_exp_mont_consttime: node.func(`int BN_mod_exp_mont_consttime(void* r, ${modular})`),
    BN_mod_exp_mont_consttime_x2: node.func(
      'int BN_mod_exp_mont_consttime_x2(void* r1, void* a1, void* p1, void* m1, void* mont1, void* r2, void* a2, void* p2, void* m2, void* mont2, void* ctx)',
    ),
    BN_mod_inverse: node.func('void* BN_mod_inverse(void* r, void* a, void* n, void* ctx)'),
    ERR_clear_error: node.func('void ERR_clear_error()'),
  }
}

function copies(bn: ReturnType<typeof bind>): Pick<Libcrypto, 'placeOf' | 'copyIn' | 'copyOut'> {
  return {
    placeOf: bn.placeOf,
    copyIn: (to, from, length) => succeed(bn.BN_lebin2bn(from, length, to)),
    copyOut: (to, from, length) => succeed(bn.BN_bn2lebinpad(from, to, length) === length ? 1 : 0),
  }
}

function wrap(bn: ReturnType<typeof bind>): Libcrypto {
  const multiply = bn.BN_mod_mul_montgomery
  return {
    ...bn.inner,
    ...copies(bn),
    newNumber: () => existing(bn.BN_new()),
    freeNumber: a => bn.BN_clear_free(a),
    copy: (to, from) => succeed(bn.BN_copy(to, from)),
    markSecret: a => bn.BN_set_flags(a, BN_FLG_CONSTTIME),
    write(to, x) {
      const bytes = bytesOf(x)
      succeed(bn.BN_bin2bn(bytes, bytes.length, to))
    },
    read(from, length) {
      const bytes = Buffer.allocUnsafe(length)
      if (bn.BN_bn2binpad(from, bytes, length) !== length)
        throw new Error('OpenSSL: a number is larger than expected')
      return integerOf(bytes)
    },
    freeContext: ctx => bn.BN_CTX_free(ctx),
    newContext: () => existing(bn.BN_CTX_new()),
    newMontgomery(modulus, ctx) {
      const mont = existing(bn.BN_MONT_CTX_new())
      succeed(bn.BN_MONT_CTX_set(mont, modulus, ctx))
      return mont
    },
    freeMontgomery: mont => bn.BN_MONT_CTX_free(mont),
    multiply: (r, a, b, mont, ctx) => succeed(multiply(r, a, b, mont, ctx)),
    toMontgomery: (r, a, mont, ctx) => succeed(bn.BN_to_montgomery(r, a, mont, ctx)),
    fromMontgomery: (r, a, mont, ctx) => succeed(bn.BN_from_montgomery(r, a, mont, ctx)),
    power: (r, a, p, m, ctx) => succeed(bn.BN_mod_exp_mont(r, a, p, m, ctx, 0n)),
    secretPower: (r, a, p, m, ctx) => succeed(bn.BN_mod_exp_mont_consttime(r, a, p, m, ctx, 0n)),
    secretPowers: (p, q, ctx) =>
      succeed(
        bn.BN_mod_exp_mont_consttime_x2(
          ...[p.result, p.base, p.exponent, p.modulus, p.mont],
          ...[q.result, q.base, q.exponent, q.modulus, q.mont],
          ctx,
        ),
      ),
    inverse(r, a, modulus, ctx) {
      if (bn.BN_mod_inverse(r, a, modulus, ctx)) return true
      bn.ERR_clear_error() // otherwise Node's own cryptography would find this failure and report it as its own
      return false
    },
  }
}

let bound: Libcrypto | undefined

/** The functions, bound once per thread.
 *  @throws {Error} if koffi or one of the functions is missing */
export function loadLibcrypto(): Libcrypto {
  bound ??= wrap(bind())
  return bound
}

/** Numbers for the duration of one calculation. At its end they are overwritten with zeros and freed. */
export function withNumbers<T>(lib: Libcrypto, calculate: (number: (x: bigint) => Address) => T): T {
  const numbers: Address[] = []
  try {
    return calculate(x => {
      const number = lib.newNumber()
      numbers.push(number)
      lib.write(number, x)
      return number
    })
  } finally {
    numbers.forEach(lib.freeNumber)
  }
}

/** 1/x mod modulus; undefined if there is no inverse. With `isSecret` no branch depends on x or the modulus. */
export function invert(
  lib: Libcrypto,
  ctx: Address,
  x: bigint,
  modulus: bigint,
  { isSecret = false } = {},
): bigint | undefined {
  return withNumbers(lib, number => {
    const [result, a, m] = [number(0n), number(x), number(modulus)]
    if (isSecret) [a, m].forEach(lib.markSecret)
    return lib.inverse(result, a, m, ctx) ? lib.read(result, byteLength(modulus)) : undefined
  })
}
