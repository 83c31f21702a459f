/** `deploy/kubernetes.yaml`, and the parts of its objects that the tests read. @module */
import { parseAllDocuments } from 'yaml'
import { deployed } from '../tools.ts'

export type Labels = Readonly<Record<string, string>>
type Selector = { readonly matchLabels: Labels }
export type Probe = {
  readonly httpGet: { readonly path: string; readonly port: string }
  readonly periodSeconds: number
  readonly timeoutSeconds: number
  readonly failureThreshold: number
}
export type Container = {
  readonly image: string
  readonly command?: unknown
  readonly args?: unknown
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: unknown }[]
  readonly envFrom?: unknown
  readonly securityContext: object
  readonly startupProbe: Probe
  readonly livenessProbe: Probe
  readonly readinessProbe: Probe
  readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } }
  readonly volumeMounts: readonly {
    readonly name: string
    readonly mountPath: string
    readonly readOnly: boolean
  }[]
}
type Pod = {
  readonly automountServiceAccountToken: boolean
  readonly terminationGracePeriodSeconds: number
  readonly securityContext: object
  readonly containers: readonly Container[]
  readonly initContainers?: unknown
  readonly volumes: readonly {
    readonly name: string
    readonly configMap?: { readonly name: string }
    readonly secret?: { readonly secretName: string }
  }[]
}
export type Deployment = {
  readonly replicas: number
  readonly selector: Selector
  readonly strategy: { readonly rollingUpdate: { readonly maxUnavailable: number } }
  readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: Pod }
}
export type Budget = { readonly minAvailable: number; readonly selector: Selector }
export type Service = {
  readonly selector: Labels
  readonly ports: readonly { readonly targetPort: string }[]
}
type Peer = {
  readonly podSelector?: Selector
  readonly namespaceSelector?: Selector
  readonly ipBlock?: { readonly cidr: string; readonly except: readonly string[] }
}
type Rule = {
  readonly from?: readonly Peer[]
  readonly to?: readonly Peer[]
  readonly ports: readonly { readonly port: string | number }[]
}
export type Policy = {
  readonly podSelector: Selector
  readonly policyTypes: readonly string[]
  readonly ingress: readonly Rule[]
  readonly egress: readonly Rule[]
}
type Specs = {
  readonly Deployment: Deployment
  readonly PodDisruptionBudget: Budget
  readonly Service: Service
  readonly NetworkPolicy: Policy
}
export type Resource = {
  readonly apiVersion: string
  readonly kind: keyof Specs
  readonly metadata: { readonly name: string }
  readonly spec: unknown
}

export const RESOURCES: readonly Resource[] = parseAllDocuments(deployed('kubernetes.yaml')).map(document =>
  document.toJS(),
)

/** @returns the spec of the object; its kind says which members it has */
export function specOf<Kind extends keyof Specs>(kind: Kind, name = 'svc'): Specs[Kind] {
  const found = RESOURCES.find(each => each.kind === kind && each.metadata.name === name)
  if (!found) throw new Error(`kubernetes.yaml: expected ${kind} ${name}, got none`)
  return Object(found.spec)
}
