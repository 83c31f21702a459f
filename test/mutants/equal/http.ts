/** Mutants of `http/` that behave like the program in every test, with the reason. @module */
import { type Equal, MEMORY_ALONE, NARROWING, NOT_IN_JSON, OURS_ALONE } from './reasons.ts'

export const EQUAL_HTTP: readonly Equal[] = [
  {
    names: /^http\/app\/connect\.ts updatesFor: never if \(request\.nonRevocation\.length === 0\)/,
    reason: 'it saves asking the chart: of no types there are no updates',
  },
  {
    names: /^http\/app\/start-static\.ts accepted: never if \(!\(error instanceof RemoteError\)\)/,
    reason: OURS_ALONE,
  },
  {
    names: /^http\/app\/call\.ts decide: without !\(error instanceof RemoteError\)/,
    reason: OURS_ALONE,
  },
  {
    names: /^http\/keyshare\/device\.ts requireDevice: without deviceKey === null/,
    reason: 'nothing takes a registered key away, so that the account has one in its turn, too',
  },
  {
    names: /^http\/keyshare\/get-response\.ts pendingIn: never if \(commitment === null\)/,
    reason: 'the chart takes the event only in a state to which the commit leads that stores a commitment',
  },
  {
    names: /^http\/keyshare\/get-response\.ts partUnder: never if \(part === undefined\)/,
    reason: 'whoever asks for the parts of one key gets one; the next line would throw a TypeError, too',
  },
  {
    names: /^http\/openapi\/document\.ts (?:describe: without description|JSON_TYPE: without example !==)/,
    reason: NOT_IN_JSON,
  },
  {
    names: /^http\/inspector\/stately-feed\.ts announce: without oldest !== undefined/,
    reason: NARROWING,
  },
  {
    names: /^http\/request-facts\.ts pathOf: without !PLAIN_PATH\.test\(ctx\.url\) in/,
    reason: 'it saves the time that it takes to read as an address what is one without a doubt',
  },
  { names: /^http\/inspector\/server\.ts answerFile: without !file in/, reason: NARROWING },
  { names: /^http\/requestor-auth\.ts signedRequest: never if \(!signer\)/, reason: NARROWING },
  {
    names: /^http\/read-body\.ts isTooLarge: without (?:error instanceof Error|'type' in error) in/,
    reason: NARROWING,
  },
  {
    names: /^http\/last-sent\.ts (?:isStatus: without id !== null|openingOf: without isStatus\(lastId\)) in/,
    reason: NARROWING,
  },
  {
    names: /^http\/last-sent\.ts isStatus: without STATUSES\.includes\(id\)/,
    reason: 'a session never had a status that is none, which the next condition asks',
  },
  {
    names:
      /^http\/inspector\/stately-messages\.ts nestedValue: without (?:only !== undefined|leaves\.length === 1) in/,
    reason: 'of several states each stands in a region, so that its name has a dot',
  },
  {
    names: /^http\/open-streams\.ts keepTime: without this\.#timer !== null in this\.#open\.size === 0/,
    reason: 'to stop no timer does nothing',
  },
  { names: /^http\/find-session\.ts tokenOf: without typeof parameter/, reason: NARROWING },
  { names: /^http\/openapi\/page\.ts nameOf: without (?:typeof inner|inner === null)/, reason: NARROWING },
  {
    names: /^http\/status-feed\.ts enqueue: (?:without statuses\.length|off by one statuses\.length)/,
    reason: 'of no statuses none is told, and nothing else happens',
  },
  {
    names: /^http\/status-feed\.ts file: off by one row\.version > this\.#version/,
    reason: 'a row of the version that was heard of has the status that was told',
  },
  {
    names: /^http\/static-files\.ts answerFile: without (?:isFile|ctx\.method|!ctx\.fresh)/,
    reason: 'Koa sends nothing of the file there, and closes it when the answer has ended',
  },
  {
    names: /^http\/static-files\.ts serve: never if \(!kind\?\.isDirectory\(\)\)/,
    reason: 'where there is no folder there is no index file below it',
  },
  {
    names: /^http\/static-files\.ts unlessAbsent: without (?:error instanceof Error|'code' in error)/,
    reason: NARROWING,
  },
  {
    names: /^http\/static-files\.ts unlessAbsent: without ABSENT/,
    reason: 'what else a system says of a path, such as of a disk that fails, no test can cause',
  },
  { names: /^http\/open-streams\.ts remove: never if \(others === 0\)/, reason: MEMORY_ALONE },
  {
    names: /^http\/unread-body\.ts discard: off by one left < 0/,
    reason: 'one byte more or less is thrown away of a body that was refused',
  },
  {
    names: /^http\/listen\.ts listen: left out reject\(new TypeError/,
    reason: NARROWING,
  },
  {
    names:
      /^http\/listen\.ts listen: without (?:host !== undefined|typeof address === 'object'|address !== null) in/,
    reason: NARROWING,
  },
  {
    names: /^http\/account-page\/account\.ts page: off by one asked > 1/,
    reason: 'the first page is shown whether it is asked for or not',
  },
  { names: /^http\/account-page\/overview\.ts overview: without only !== undefined in/, reason: NARROWING },
]
