/** Hosts that are called without a proxy, from the variable `NO_PROXY`. Entries are matched as in curl. An entry may also have a port, or begin with `*.`. @module */
import { BlockList, isIP, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'
import { bareHost, isIn, networkOf } from './network.ts'

type Rule = (host: string, port: string) => boolean

/** @param list entries with commas or blanks between them: `*`, a domain with its subdomains, an IP address, or a network such as 10.0.0.0/8
 *  @returns whether that address is called without a proxy */
export function noProxyRule(list: string): (url: Pick<URL, 'hostname' | 'port' | 'protocol'>) => boolean {
  const rules = list
    .split(/[\s,]+/)
    .filter(entry => entry !== '')
    .map(ruleOf)
  return ({ hostname, port, protocol }) => {
    const host = bareHost(hostname)
    const called = port || (protocol === 'https:' ? '443' : '80')
    return rules.some(rule => rule(host, called))
  }
}

function ruleOf(entry: string): Rule {
  if (entry === '*') return () => true
  if (entry.includes('/')) return networkRule(entry)
  const [, bracketed = '', bare = '', port = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? []
  const text = isIPv6(entry) ? entry : bracketed || bare
  const isPort = (called: string): boolean => port === '' || port === called
  if (isIP(text)) {
    const isAddress = networkRule(text)
    return (host, called) => isPort(called) && isAddress(host, called)
  }
  const domain = domainToASCII(text.replace(/^\*?\./, '').replace(/\.$/, ''))
  if (domain === '') return () => false
  return (host, called) => isPort(called) && (host === domain || (!isIP(host) && host.endsWith(`.${domain}`)))
}

function networkRule(entry: string): Rule {
  const network = networkOf(entry)
  if (network === null) return () => false
  const addresses = new BlockList()
  addresses.addSubnet(...network)
  return host => isIn(addresses, host)
}
