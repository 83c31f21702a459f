/** Mutants of `http/` that behave like the program in every test, with the reason. @module */
import { type Equal, MEMORY_ALONE, NARROWING, NOT_IN_JSON, OURS_ALONE } from './reasons.ts'

export const EQUAL_HTTP: readonly Equal[] = [
  {
    names: /^http\/app\/connect\.ts updatesFor: never if \(request\.nonRevocation\.length === 0\)/,
    reason: 'the line only saves a question to the chart: a request without types gets no updates',
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
    reason: 'a registered device key is never removed, so the account still has one in its turn',
  },
  {
    names: /^http\/keyshare\/get-response\.ts pendingIn: never if \(commitment === null\)/,
    reason: 'the chart accepts the event only in a state in which the row has a commitment',
  },
  {
    names: /^http\/keyshare\/get-response\.ts partUnder: never if \(part === undefined\)/,
    reason: 'a call for the part of one key returns one; else the next line would throw a TypeError, too',
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
    reason: 'the part only saves time: PLAIN_PATH matches only targets that are valid addresses',
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
    reason: 'no session has had an unknown status, which the next condition checks',
  },
  {
    names:
      /^http\/inspector\/stately-messages\.ts nestedValue: without (?:only !== undefined|leaves\.length === 1) in/,
    reason: 'several states are in regions, so that each name contains a dot',
  },
  {
    names: /^http\/open-streams\.ts keepTime: without this\.#timer !== null in this\.#open\.size === 0/,
    reason: 'stopping no timer does nothing',
  },
  { names: /^http\/find-session\.ts tokenOf: without typeof parameter/, reason: NARROWING },
  { names: /^http\/openapi\/page\.ts nameOf: without (?:typeof inner|inner === null)/, reason: NARROWING },
  {
    names: /^http\/status-feed\.ts enqueue: (?:without statuses\.length|off by one statuses\.length)/,
    reason: 'with no statuses the loop sends nothing',
  },
  {
    names: /^http\/status-feed\.ts file: off by one row\.version > this\.#version/,
    reason: 'a row of the known version has the status that was already sent',
  },
  {
    names: /^http\/static-files\.ts answerFile: without (?:isFile|ctx\.method|!ctx\.fresh)/,
    reason: 'Koa sends no bytes of the file in these cases, and closes the file at the end of the answer',
  },
  {
    names: /^http\/static-files\.ts serve: never if \(!kind\?\.isDirectory\(\)\)/,
    reason: 'if the path is no folder, there is no index file below it',
  },
  {
    names: /^http\/static-files\.ts unlessAbsent: without (?:error instanceof Error|'code' in error)/,
    reason: NARROWING,
  },
  {
    names: /^http\/static-files\.ts unlessAbsent: without ABSENT/,
    reason: 'no test can cause other errors of a system for a path, such as a failing disk',
  },
  { names: /^http\/open-streams\.ts remove: never if \(others === 0\)/, reason: MEMORY_ALONE },
  {
    names: /^http\/unread-body\.ts discard: off by one left < 0/,
    reason: 'the only difference is one byte of a refused body that is read or not',
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
    reason: 'the first page is shown with and without page=1',
  },
  { names: /^http\/account-page\/overview\.ts overview: without only !== undefined in/, reason: NARROWING },
]
