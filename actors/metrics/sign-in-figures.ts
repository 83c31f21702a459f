/** Figures of logins at an OpenID provider. Each label is the name of a client in the settings or a word of this file, so a caller chooses none. @module */
import type { Meter } from '../../ports/meter.ts'
import type { RingKeyAge } from '../oidc/key-ring.ts'
import { requestorLabel } from './requestor-label.ts'

const OUTCOMES = ['done', 'refused', 'timeout', 'error'] as const
/** Timeout: no browser came back before the login expired. */
export type LoginOutcome = (typeof OUTCOMES)[number]

const REQUESTS = ['authorize', 'par'] as const
/** A request that stores a record before any user is known. */
export type BoundedRequest = (typeof REQUESTS)[number]
const BOUNDS = ['caller', 'all'] as const

const OK = 'ok'
const OTHER = 'other'
/** Error codes of the token endpoint (RFC 6749, 5.2). */
const RESULTS: readonly string[] = [
  ...[OK, 'invalid_request', 'invalid_client', 'invalid_grant', 'unauthorized_client'],
  ...['unsupported_grant_type', 'invalid_scope', 'server_error', OTHER],
]

/** Buckets up to the default of `interaction_lifetime`. */
const LOGIN_SEC = [1, 2.5, 5, 10, 20, 40, 60, 120, 300, 600, 900]

export type SignInFigures = {
  readonly begun: (client: string) => void
  /** @param seconds since the request of the site; null: unknown */
  readonly finished: (client: string, outcome: LoginOutcome, seconds: number | null) => void
  /** @param client empty: not authenticated
   *  @param error code of the answer; null: tokens */
  readonly tokenAsked: (client: string, error: string | null) => void
  /** called for each request that a bound refuses */
  readonly bounded: (request: BoundedRequest, bound: (typeof BOUNDS)[number]) => void
  readonly watchKeys: (read: () => readonly RingKeyAge[]) => void
}

/** @param clients names in the settings */
export function signInFigures(meter: Meter, clients: readonly string[]): SignInFigures {
  const client = requestorLabel(clients)
  const { begun, finished, tokens, bounded } = countersOf(meter, clients)
  const took = meter.durations(
    {
      name: 'svc_oidc_login_seconds',
      help: 'Time from the request of a site to the return of the browser to it',
      labels: ['outcome'],
    },
    LOGIN_SEC,
  )
  return {
    begun: name => begun({ client: client(name) }),
    finished(name, outcome, seconds) {
      finished({ client: client(name), outcome })
      if (seconds !== null) took({ outcome }, seconds)
    },
    tokenAsked(name, error) {
      const result = error ?? OK
      tokens({ client: client(name), result: RESULTS.includes(result) ? result : OTHER })
    },
    bounded: (request, bound) => bounded({ request, bound }),
    watchKeys: read =>
      meter.gauge(
        {
          name: 'svc_oidc_signing_key_timestamp_seconds',
          help: 'Unix time since which a key signs (current), or since which the next one is published (next)',
          labels: ['alg', 'state'],
        },
        () => read().map(({ alg, state, since }) => ({ labels: { alg, state }, value: since / 1_000 })),
      ),
  }
}

function countersOf(meter: Meter, clients: readonly string[]) {
  const known = clients.map(client => ({ client }))
  return {
    begun: meter.counter(
      { name: 'svc_oidc_logins_begun_total', help: 'Logins that sites asked for', labels: ['client'] },
      known,
    ),
    finished: meter.counter(
      {
        name: 'svc_oidc_logins_finished_total',
        help: 'Logins that ended, by outcome: done, refused by the user, timeout or error',
        labels: ['client', 'outcome'],
      },
      known.flatMap(labels => OUTCOMES.map(outcome => ({ ...labels, outcome }))),
    ),
    tokens: meter.counter(
      {
        name: 'svc_oidc_token_requests_total',
        help: 'Requests of the token endpoint, by error code, or ok',
        labels: ['client', 'result'],
      },
      known.map(labels => ({ ...labels, result: OK })),
    ),
    bounded: meter.counter(
      {
        name: 'svc_oidc_requests_bounded_total',
        help: 'Authorization requests (authorize) and pushed ones (par) past a bound of one caller or of all',
        labels: ['request', 'bound'],
      },
      REQUESTS.flatMap(request => BOUNDS.map(bound => ({ request, bound }))),
    ),
  }
}
