/** Faults that a server must not have, each as a small change of the built program, and the generated tests that find it. `docs/seeded-faults.md` describes them in
 *  words. @module */
import { SERVER_MACHINES } from '../mutants/chart-mutants.ts'

export type SeededFault = {
  /** the heading of its chapter in `docs/seeded-faults.md` */
  readonly title: string
  /** in a copy of `dist` in which the server has its own charts */
  readonly file: string
  /** text that occurs once in the file */
  readonly right: string
  readonly wrong: string
  /** the test that finds it in every run of the tests */
  readonly foundBy: FinderName
  /** tests that find it as well */
  readonly alsoBy: readonly FinderName[]
}

/** Generated tests, and the way to run each. */
export const FINDERS = {
  interleavings: {
    file: 'interleavings/interleavings.test.js',
    test: 'every law of a session holds during concurrent events and faults',
    env: { SEED: '1', SCRIPTS: '250', SHRINK: 'no' },
  },
  logins: {
    file: 'interleavings/keyshare/keyshare.test.js',
    test: 'attempts are counted, and each commitment gets one response, in any interleaving',
    env: { SEED: '1', SCRIPTS: '80', SHRINK: 'no' },
  },
  simulation: {
    file: 'simulation/simulation.test.js',
    test: 'every law that is visible from outside holds under all simulated faults',
    env: { SEED: '1', SEEDS: '20', SHRINK: 'no' },
  },
  simulatedLogins: {
    file: 'simulation/logins.test.js',
    test: 'every law of an account holds under all simulated faults',
    env: { SEED: '1', SEEDS: '20', SHRINK: 'no' },
  },
  paths: { file: 'paths/session/memory.test.js', test: null, env: {} },
  deliveryPaths: { file: 'paths/delivery/memory.test.js', test: null, env: {} },
  loginPaths: { file: 'paths/login/memory.test.js', test: null, env: {} },
  cluster: {
    file: 'faults/cluster/cluster.test.js',
    test: 'postgres, 3 nodes: no law is broken while nodes are killed, paused and cut off',
    env: { SEED: '5', STORES: 'postgres' },
  },
} as const satisfies Readonly<
  Record<
    string,
    { readonly file: string; readonly test: string | null; readonly env: Record<string, string> }
  >
>
export type FinderName = keyof typeof FINDERS

export const FAULTS: readonly SeededFault[] = [
  {
    title: 'An answer before its commit',
    file: 'actors/gate.js',
    right: 'const isCommitted = await this.#commit(row, after, inserts);',
    wrong: 'const isCommitted = true; this.#commit(row, after, inserts).catch(() => {});',
    foundBy: 'interleavings',
    alsoBy: ['simulation', 'paths', 'cluster'],
  },
  {
    title: 'A deadline that is lost at a restart',
    file: 'actors/deadlines.js',
    right: 'start() {\n        void this.#look();',
    wrong: 'start() {',
    foundBy: 'interleavings',
    alsoBy: ['paths'],
  },
  {
    title: '`pairingcompleted` in `CONNECTED`',
    file: `${SERVER_MACHINES}/session.js`,
    right: "...fetchedIn('awaiting'),",
    wrong: "...fetchedIn('awaiting'), 'frontend.paired': { target: 'awaiting', actions: 'restartDeadline' },",
    foundBy: 'interleavings',
    alsoBy: ['paths'],
  },
  {
    title: 'A status that is sent twice',
    file: 'http/status-feed.js',
    right: 'this.#toSend.push(...statuses);',
    wrong: 'this.#toSend.push(...statuses, ...statuses);',
    foundBy: 'interleavings',
    alsoBy: ['simulation', 'paths'],
  },
  {
    title: 'A claim that two nodes hold',
    file: 'stores/memory/sessions.js',
    right: 'return (this.#rows.get(id)?.version ?? 0) === version;',
    wrong: 'return (this.#rows.get(id)?.version ?? 0) >= version;',
    foundBy: 'interleavings',
    alsoBy: ['simulation'],
  },
  {
    title: 'A repeated submission that is refused',
    file: 'actors/create-sessions.js',
    right: 'if (row.claim?.callHash === hash || replayOf',
    wrong: 'if (replayOf',
    foundBy: 'simulation',
    alsoBy: ['paths'],
  },
  {
    title: 'A callback that is not tried again',
    file: `${SERVER_MACHINES}/delivery.js`,
    right: "actions: { type: 'backOff', params: ({ event }) => event },",
    wrong: '...givenUp,',
    foundBy: 'simulation',
    alsoBy: ['deliveryPaths'],
  },
  {
    title: 'A node that commits after its lease',
    file: 'test/simulation/cluster-store.js',
    right: 'if (!isAlive)\n',
    wrong: 'if (false)\n',
    foundBy: 'simulation',
    alsoBy: [],
  },
  {
    title: 'A node that ignores the clock of the store',
    file: 'stores/time/shared-clock.js',
    right: 'clock.now() + Math.round(nodes.aheadMs())',
    wrong: 'clock.now()',
    foundBy: 'simulation',
    alsoBy: [],
  },
  {
    title: 'A node that uses the system clock',
    file: 'stores/time/shared-clock.js',
    right: 'clock.now() + Math.round(nodes.aheadMs())',
    wrong: 'clock.wallNow() + Math.round(nodes.aheadMs())',
    foundBy: 'simulation',
    alsoBy: [],
  },
  {
    title: 'A row that two processes change at once',
    file: 'stores/postgres/commit-statement.js',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a text of the program
    right: 'from ${source} where ${which} and t.version = i.stored and',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a text of the program
    wrong: 'from ${source} where ${which} and t.version >= i.stored and',
    foundBy: 'cluster',
    alsoBy: [],
  },
  {
    title: 'A commitment that two servers take',
    file: 'stores/memory/accounts.js',
    right: '?.version ?? 0) === version;\n        return isOfVersion &&',
    wrong: '?.version ?? 0) >= version;\n        return isOfVersion &&',
    foundBy: 'logins',
    alsoBy: ['simulatedLogins'],
  },
  {
    title: 'A PIN that is compared while the account is blocked',
    file: `${SERVER_MACHINES}/keyshare-login.js`,
    right: 'isBlocked: ({ context }, timed) => !isOpen(context, timed),',
    wrong: 'isBlocked: () => false,',
    foundBy: 'logins',
    alsoBy: ['simulatedLogins', 'loginPaths'],
  },
  {
    title: 'An attempt that is counted after its PIN was compared',
    file: 'actors/accounts/try-pin.js',
    right: 'const { entered, row } = await reserve(deps, id, attempt);',
    wrong: `const read = await deps.accounts.read(id), now = deps.clock.now();
      if (read?.record && read.blockedUntil <= now && !isPin(deps.accounts.secretsOf(read), attempt.pin)) {
        reserve(deps, id, attempt).catch(() => {});
        return { isRight: false, refusal: pinRefusal(read.attempts + 1, read.blockedUntil, now) };
      }
      const { entered, row } = await reserve(deps, id, attempt);`,
    foundBy: 'simulatedLogins',
    alsoBy: ['loginPaths'],
  },
  {
    title: 'A block that is lost at a restart',
    file: 'actors/kinds/login.js',
    right: 'wakeLogin(chart, row.chart ?? 0, row)',
    wrong: 'wakeLogin(chart, row.chart ?? 0, { ...row, blockedUntil: Math.min(row.blockedUntil, 1) })',
    foundBy: 'simulatedLogins',
    alsoBy: [],
  },
  {
    title: 'A commitment that never expires',
    file: 'actors/kinds/login.js',
    right: 'dueAt: ({ dueAt }) => dueAt ?? Number.POSITIVE_INFINITY,',
    wrong: 'dueAt: () => Number.POSITIVE_INFINITY,',
    foundBy: 'simulatedLogins',
    alsoBy: ['loginPaths'],
  },
  {
    title: 'A token that outlives its PIN',
    file: 'http/keyshare/token.js',
    right: 'if (tokenId === null || !isTokenId(secrets, tokenId))',
    wrong: 'if (tokenId === null)',
    foundBy: 'simulatedLogins',
    alsoBy: [],
  },
]
