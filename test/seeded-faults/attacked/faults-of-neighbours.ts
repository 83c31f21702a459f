/** Faults from which another party gains: a caller of a keyshare server, another web site, a requestor, or a reader or writer of a store. @module */
import type { AttackedFault } from './attacked-fault.ts'

export const FAULTS_OF_NEIGHBOURS: readonly AttackedFault[] = [
  {
    attack: 'keyshare-removed',
    title: 'A session server with keyshare_v1: refuse that accepts the first version',
    edits: [['sessions/first-version.js', "if (rule === 'allow' || !isFirstVersion(proof))", 'if (true)']],
  },
  {
    attack: 'chosen-hash',
    title: 'A hash with control characters that counts as a value',
    edits: [['sessions/hashed-values.js', '(fitsBits(value, HASH_BITS) && NO_TEXT', '(false && NO_TEXT']],
  },
  {
    attack: 'hash-as-value',
    title: 'A hash that counts as a value',
    edits: [
      [
        'sessions/hashed-values.js',
        'return disclosedIndices(known).some(',
        'return false && disclosedIndices(known).some(',
      ],
    ],
  },
  {
    attack: 'record-moved',
    title: 'A sealed record that opens in any row',
    edits: [
      [
        'actors/accounts/records-of-rows.js',
        'const { id, userName, language, version, chart, tokenIdHash, attempts, challenge, commitment } = row;',
        'if (row) return {}; const { id, userName, language, version, chart, tokenIdHash, attempts, challenge, commitment } = row;',
      ],
    ],
  },
  {
    attack: 'commitment-put-back',
    title: 'A commitment from before a restart that is answered',
    edits: [
      [
        'actors/accounts/answerable.js',
        "return kept ? !kept.isEnded : this.#answers === 'any';",
        'return kept ? !kept.isEnded : true;',
      ],
    ],
  },
  {
    attack: 'login-csrf',
    title: 'A form of another site that is accepted',
    edits: [['http/account-page/own-form.js', 'if (!isOwn)', 'if (false)']],
  },
  {
    attack: 'mail-flood',
    title: 'Mails to one mailbox without a limit',
    edits: [['actors/mails/mail-bounds.js', 'ofMailbox.waitMs(mailbox)', '0']],
  },
  {
    attack: 'registration-flood',
    title: 'Registrations of one caller without a limit',
    edits: [['actors/calls/caller-bounds.js', 'if (waitMs > 0)', 'if (false)']],
  },
  {
    attack: 'registration-flood',
    title: 'A caller address from a header that any caller may send',
    edits: [['http/caller-names.js', "forwarded === '' || isIn(trusted, peer)", 'true']],
  },
  {
    attack: 'call-inside',
    title: 'Addresses that are not checked when a connection opens',
    edits: [['ports/guarded-fetch.js', 'rule.names(hostname) ? all :', 'true ? all :']],
  },
  {
    attack: 'call-inside',
    title: 'Calls that follow redirects',
    edits: [['ports/fetch.js', "redirect: 'manual'", "redirect: 'follow'"]],
  },
  {
    attack: 'unknown-keys',
    title: 'A call that waits until all schemes are read',
    edits: [['server/schemes/brief-look.js', 'const WAIT_MS = 1_000;', 'const WAIT_MS = 60_000;']],
  },
  {
    attack: 'silent-listeners',
    title: 'A silent connection to the metrics that stays for 15 s',
    edits: [['http/few-connections.js', 'const SILENT_MS = 5_000;', 'const SILENT_MS = 15_000;']],
  },
  {
    attack: 'ready-names',
    title: 'Warnings with names at the public /health/ready',
    edits: [
      [
        'http/health.js',
        'const { reasons, warnings } = await readiness.now();',
        'const { reasons, namedWarnings: warnings } = await readiness.now();',
      ],
    ],
  },
  {
    attack: 'stolen-store',
    title: 'A frontend token that is stored without hashing',
    edits: [
      [
        'actors/kinds/new-session.js',
        'chained?.frontendTokenHash ?? hashOfToken(frontendToken)',
        'chained?.frontendTokenHash ?? frontendToken',
      ],
      ['http/frontend-auth.js', 'isSameSecret(hashOfToken(', 'isSameSecret(('],
    ],
  },
]
