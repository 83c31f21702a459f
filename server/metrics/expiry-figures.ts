/** The expiry of issuer keys and TLS certificates as Unix times, from which the reader can count the days. Also the age of the schemes, which
 *  do not expire. @module */
import { X509Certificate } from 'node:crypto'
import type { Tls } from '../../http/settings.ts'
import type { Meter, Sample } from '../../ports/meter.ts'
import type { SdJwtIssuers } from '../../schemes/sd-jwt/issuers.ts'
import type { Schemes } from '../../schemes/types.ts'

/** @param schemes returns the current schemes
 *  @param certificateOf returns the current certificate of a listener; null: it has none */
export function expiryFigures(
  meter: Meter,
  schemes: () => Schemes,
  certificateOf: (listener: 'main' | 'client') => Tls | null,
  sdJwtIssuers: SdJwtIssuers | null,
): void {
  meter.gauge(
    {
      name: 'svc_issuer_key_expiry_timestamp_seconds',
      help: 'Unix time at which an issuer key expires; own: this server has the private key',
      labels: ['issuer', 'counter', 'own'],
    },
    () => keysOf(schemes()),
  )
  meter.gauge(
    {
      name: 'svc_scheme_signed_timestamp_seconds',
      help: 'Unix time at which a scheme was signed',
      labels: ['scheme'],
    },
    () =>
      [...schemes().schemes.values()].map(({ id, timestampSec }) => ({
        labels: { scheme: id },
        value: timestampSec,
      })),
  )
  meter.gauge(
    {
      name: 'svc_tls_certificate_expiry_timestamp_seconds',
      help: 'Unix time at which the TLS certificate of a listener expires',
      labels: ['listener'],
    },
    () =>
      (['main', 'client'] as const).flatMap(listener => {
        const tls = certificateOf(listener)
        return tls === null ? [] : [{ labels: { listener }, value: endOf(tls) }]
      }),
  )
  meter.gauge(
    {
      name: 'svc_sdjwtvc_certificate_expiry_timestamp_seconds',
      help: 'Unix time at which the first certificate of an SD-JWT issuer, or of its CAs, expires',
      labels: ['issuer'],
    },
    () =>
      [...(sdJwtIssuers?.values() ?? [])].map(({ id: issuer, validUntilSec }) => ({
        labels: { issuer },
        value: validUntilSec,
      })),
  )
}

function keysOf({ schemes, privateKey }: Schemes): readonly Sample<'issuer' | 'counter' | 'own'>[] {
  const issuers = [...schemes.values()].flatMap(scheme => [...scheme.issuers.values()])
  return issuers.flatMap(({ id: issuer, publicKeys }) =>
    [...publicKeys.values()].map(({ counter, expiresAtSec }) => ({
      labels: {
        issuer,
        counter: String(counter),
        own: String(privateKey(issuer, counter) !== undefined),
      },
      value: expiresAtSec,
    })),
  )
}

function endOf({ cert }: Tls): number {
  return Date.parse(new X509Certificate(cert).validTo) / 1_000
}
