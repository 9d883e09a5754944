import fc from 'fast-check'
import { z } from 'zod'
import { hostileText, hostileValue } from './hostile.ts'

/** What of JSON Schema the schemas of the contract come to. */
type Shape = {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly prefixItems?: readonly Shape[]
  readonly anyOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
  readonly allOf?: readonly Shape[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** How an input relates to its schema: fitting, with one error, or hostile. */
export type Kind = 'fitting' | 'nearly' | 'hostile'

/** Generates inputs for a call of this schema, near an example that is valid at the moment. */
export const casesOf = (schema: z.core.$ZodType, example: unknown): Readonly<Record<Kind, fc.Arbitrary<unknown>>> => {
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape
  const fits = fitting(shape, example)
  return { fitting: fits, nearly: nearly(fits), hostile: hostile(shape) }
}

const fitting = (shape: Shape, example: unknown): fc.Arbitrary<unknown> => {
  const drawn = drawnFrom(shape, example)
  return example === undefined || typeof example === 'object' ? drawn : fc.oneof({ weight: 3, arbitrary: fc.constant(example) }, { weight: 1, arbitrary: drawn })
}

const drawnFrom = (shape: Shape, example: unknown): fc.Arbitrary<unknown> => {
  if ('const' in shape) return fc.constant(shape.const)
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum)
  const branches = shape.anyOf ?? shape.oneOf
  if (branches !== undefined) return fc.oneof(...branches.map((branch) => fitting(branch, example)))
  const types = [shape.type ?? []].flat()
  if (types.length > 1) return fc.oneof(...types.map((type) => drawnFrom({ ...shape, type }, example)))
  switch (types[0]) {
    case 'object':
      return recordOf(shape, example)
    case 'array':
      return listOf(shape, example)
    case 'string':
      return textOf(shape)
    case 'integer':
      return numberOf(shape).map((value) => bounded(shape, Math.round(value)))
    case 'number':
      return numberOf(shape)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return hostileValue
  }
}

const partOf = (example: unknown, name: string): unknown => (typeof example === 'object' && example !== null && Object.hasOwn(example, name) ? (example as Record<string, unknown>)[name] : undefined)

const recordOf = ({ properties = {}, required = [] }: Shape, example: unknown): fc.Arbitrary<unknown> => {
  const parts = Object.entries(properties).map(([name, shape]) => [name, name === 'userId' && partOf(example, name) !== undefined ? fc.constant(partOf(example, name)) : fitting(shape, partOf(example, name))] as const)
  const drawn = fc.record(Object.fromEntries(parts), { requiredKeys: [...required] })
  if (parts.length < 3 || typeof example !== 'object' || example === null || required.some((name) => !Object.hasOwn(example, name))) return drawn
  // Most of what goes deep is right but for a part or two.
  const changed = fc.subarray([...parts], { minLength: 1, maxLength: 2 }).chain((some) => fc.record(Object.fromEntries(some)).map((others) => ({ ...example, ...others })))
  return fc.oneof({ weight: 2, arbitrary: changed }, { weight: 1, arbitrary: drawn })
}

const listOf = ({ items = {}, prefixItems, minItems = 0, maxItems = 4 }: Shape, example: unknown): fc.Arbitrary<unknown> => {
  const given: readonly unknown[] = Array.isArray(example) ? example : []
  if (prefixItems !== undefined) return fc.tuple(...prefixItems.map((item, index) => fitting(item, given[index])))
  const several = fc.array(fitting(items, given[0]), { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 4)) })
  return given.length === 0 ? several : fc.oneof(several, fc.constant(given))
}

const textOf = ({ pattern, allOf = [], minLength = 0, maxLength = 40 }: Shape): fc.Arbitrary<string> => {
  const patterns = [pattern, ...allOf.map((part) => part.pattern)].filter((one) => one !== undefined)
  const [first] = patterns
  // Texts are drawn by the first, without what it must not be; those that miss it or another pattern are `1`, which all patterns take that have a second one.
  if (first !== undefined) return fc.stringMatching(new RegExp(first.replaceAll(/\(\?!(?:[^()]|\([^()]*\))*\)/g, ''))).map((text) => (patterns.every((one) => new RegExp(one).test(text)) ? text : '1'))
  const longest = (text: string): string => text.slice(0, maxLength)
  return fc.oneof(
    fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 20)) }),
    hostileText.map(longest).map((text) => (text.length < minLength ? text.padEnd(minLength, 'x') : text)),
    fc.constant('x'.repeat(Math.min(maxLength, 20_000))),
  )
}

const lowestOf = ({ minimum, exclusiveMinimum }: Shape): number => minimum ?? (exclusiveMinimum === undefined ? -1e12 : exclusiveMinimum + Math.max(1e-3, Math.abs(exclusiveMinimum) * 1e-12))
const highestOf = ({ maximum, exclusiveMaximum }: Shape): number => maximum ?? (exclusiveMaximum === undefined ? 1e12 : exclusiveMaximum - Math.max(1e-3, Math.abs(exclusiveMaximum) * 1e-12))
const bounded = (shape: Shape, value: number): number => Math.min(Math.floor(highestOf(shape)), Math.max(Math.ceil(lowestOf(shape)), value))

const numberOf = (shape: Shape): fc.Arbitrary<number> => {
  const [lowest, highest] = [lowestOf(shape), highestOf(shape)]
  return fc.oneof(
    fc.constantFrom(lowest, highest),
    fc.integer({ min: 0, max: 300 }).map((value) => Math.min(highest, Math.max(lowest, value))),
    fc.double({ min: lowest, max: highest, noNaN: true }),
  )
}

type Path = readonly (string | number)[]

const pathsIn = (value: unknown, at: Path = []): Path[] =>
  typeof value !== 'object' || value === null ? [at] : [at, ...Object.entries(value).slice(0, 40).flatMap(([name, part]) => pathsIn(part, [...at, Array.isArray(value) ? Number(name) : name]))]

const changedAt = (value: unknown, path: Path, change: (part: unknown) => unknown): unknown => {
  const [name, ...rest] = path
  if (name === undefined) return change(value)
  if (Array.isArray(value)) return value.map((part, index) => (index === name ? changedAt(part, rest, change) : part) as unknown)
  const entries = Object.entries(value as object).map(([key, part]) => [key, key === name ? changedAt(part, rest, change) : part])
  return Object.fromEntries(entries.filter(([, part]) => part !== undefined))
}

const wrongly = fc.oneof(
  { weight: 4, arbitrary: hostileValue.map((value) => () => value) },
  { weight: 2, arbitrary: fc.constant(() => undefined) },
  { weight: 1, arbitrary: fc.constant((part: unknown) => [part]) },
  { weight: 1, arbitrary: fc.constant((part: unknown) => ({ inside: part })) },
  { weight: 1, arbitrary: fc.constant((part: unknown) => (typeof part === 'number' ? -part - 1 : typeof part === 'string' ? `${part}\0` : JSON.stringify(part))) },
  { weight: 1, arbitrary: hostileValue.map((value) => (part: unknown) => (typeof part === 'object' && part !== null && !Array.isArray(part) ? { ...part, surplus: value } : value)) },
)

const nearly = (fits: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(fits, fc.nat(), wrongly).map(([value, pick, change]) => {
    const paths = pathsIn(value)
    return changedAt(value, paths[pick % paths.length] ?? [], change)
  })

const hostile = (shape: Shape): fc.Arbitrary<unknown> => {
  const names = [...new Set([shape, ...(shape.anyOf ?? []), ...(shape.oneOf ?? [])].flatMap(({ properties = {} }) => Object.keys(properties)))]
  const named = fc.record(Object.fromEntries(names.map((name) => [name, hostileValue])), { requiredKeys: [] })
  return fc.oneof({ weight: 3, arbitrary: named }, { weight: 1, arbitrary: hostileValue })
}
