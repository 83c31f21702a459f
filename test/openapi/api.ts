/** The description that a running server publishes, and validation against it by an independent validator. @module */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { ApiDocument, OperationObject } from '../../http/openapi/document.ts'

type Validate = (schemaPath: readonly string[], value: unknown) => string | null

export type Api = {
  readonly document: ApiDocument
  /** the operation of a call, with its place; null if there is no such endpoint */
  readonly find: (method: string, path: string) => Found | null
  /** @returns the reason why a value is invalid by the schema at this place; null if it is valid */
  readonly refusal: Validate
}

export type Found = { readonly operation: OperationObject; readonly place: readonly string[] }

/** @param text of `/openapi.json` */
export function apiOf(text: string): Api {
  const document: ApiDocument = JSON.parse(text)
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'api')
  const validators = new Map<string, ValidateFunction>()
  const routes = Object.entries(document.paths).map(([path, methods]) => ({
    path,
    methods,
    // a token at the end may have a slash after it
    pattern: new RegExp(
      `^${path.replace(/\{\w+\}/g, '[^/]+')}${/(Token\}|\/session)$/.test(path) ? '/?' : ''}$`,
    ),
  }))
  return {
    document,
    find(method, path) {
      const key = method.toLowerCase()
      const route = routes.find(({ pattern, methods }) => pattern.test(path) && key in methods)
      const operation = route?.methods[key]
      return route && operation ? { operation, place: ['paths', route.path, key] } : null
    },
    refusal(place, value) {
      const pointer = place.map(name => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
      const validate = validators.get(pointer) ?? ajv.compile({ $ref: `api#${encodeURI(pointer)}` })
      validators.set(pointer, validate)
      return validate(value) ? null : ajv.errorsText(validate.errors)
    },
  }
}
